import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {nsysRule} from './nsys-rule.js';

const toDevice = "(name LIKE '%HtoD%' OR name LIKE '%Host-to-Device%')";
const inDevice = "(name LIKE '%DtoD%' OR name LIKE '%Device-to-Device%')";

/**
 * @see nsys’s rules/cuda_memcpy_sync.py, which excludes copies of at most 64,000 bytes to the GPU, and copies within a
 *   GPU
 */
export const cudaMemcpySync = nsysRule({
  name: 'cuda_memcpy_sync',
  looksFor:
    'Copies that a synchronous call (`cudaMemcpy` without `Async`) started: the call blocks the CPU until they are done.',
  silentBelow: 'For copies of up to 64,000 bytes to the GPU, and copies inside a GPU.',
  rows: `SELECT duration_ns AS ns, start_ns FROM gpu_operations
    WHERE kind = 'gpu_memcpy' AND launch_name LIKE 'cudaMemcpy%' AND launch_name NOT LIKE '%Async%'
      AND NOT (bytes <= 64000 AND ${toDevice}) AND NOT ${inDevice}`,
  says: template('Synchronous copies'),
  title: (rows, timeNs) =>
    say('Synchronous copies block the CPU: {0}, {1}.', counted(rows, '{0} copy', '{0} copies'), formatDuration(timeNs)),
  advice: template(
    'Use cudaMemcpyAsync on a stream: in PyTorch, tensor.to("cuda", non_blocking=True) from pinned memory.',
  ),
});
