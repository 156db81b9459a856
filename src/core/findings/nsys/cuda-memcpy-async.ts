import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {nsysRule} from './nsys-rule.js';

/** @see nsys’s rules/cuda_memcpy_async.py */
export const cudaMemcpyAsync = nsysRule({
  name: 'cuda_memcpy_async',
  looksFor: 'Copies to or from pageable memory that an asynchronous call started: they block the call.',
  silentBelow: 'If there is no such copy.',
  rows: `SELECT duration_ns AS ns, start_ns FROM gpu_operations
    WHERE kind = 'gpu_memcpy' AND launch_name LIKE 'cudaMemcpy%Async%' AND 'Pageable' IN (source_memory, target_memory)`,
  says: template('Asynchronous copies of pageable memory'),
  title: (rows, timeNs) =>
    say(
      'Asynchronous copies of pageable memory block the CPU: {0}, {1}.',
      counted(rows, '{0} copy', '{0} copies'),
      formatDuration(timeNs),
    ),
  advice: template('Use pinned memory: DataLoader(…, pin_memory=True), then batch.to("cuda", non_blocking=True).'),
});
