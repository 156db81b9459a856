import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {nsysRule} from './nsys-rule.js';

/** @see nsys’s rules/cuda_memset_sync.py: only pinned host memory and unified memory */
export const cudaMemsetSync = nsysRule({
  name: 'cuda_memset_sync',
  looksFor: 'Pinned or unified memory that a synchronous call (`cudaMemset` without `Async`) sets.',
  silentBelow: 'If there is no such call.',
  rows: `SELECT duration_ns AS ns, start_ns FROM gpu_operations
    WHERE kind = 'gpu_memset' AND launch_name LIKE 'cudaMemset%' AND launch_name NOT LIKE '%Async%'
      AND source_memory IN ('Pinned', 'Managed', 'Unified')`,
  says: template('Synchronous memsets of pinned or unified memory'),
  title: (rows, timeNs) =>
    say(
      'Synchronous memsets block the CPU: {0}, {1}.',
      counted(rows, '{0} memset', '{0} memsets'),
      formatDuration(timeNs),
    ),
  advice: template('Use cudaMemsetAsync on a stream.'),
});
