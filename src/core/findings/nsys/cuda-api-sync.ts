import {say, template} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {nsysRule} from './nsys-rule.js';

/** @see nsys’s rules/cuda_api_sync.py */
export const cudaApiSync = nsysRule({
  name: 'cuda_api_sync',
  looksFor:
    'Calls that block the CPU until the GPU has finished its work: `cudaDeviceSynchronize`, `cudaStreamSynchronize`.',
  silentBelow: 'If there is no such call.',
  rows: `SELECT duration_ns AS ns, start_ns FROM api_calls WHERE name LIKE 'cudaDeviceSynchronize%' OR name LIKE 'cudaStreamSynchronize%'`,
  says: template('Calls to cudaDeviceSynchronize and cudaStreamSynchronize'),
  title: (rows, timeNs) =>
    say('Synchronising calls block the CPU: {0}, {1}.', counted(rows, '{0} call', '{0} calls'), formatDuration(timeNs)),
  advice: template(
    'Synchronise less: no .item(), .cpu() or print(tensor) in the loop, and torch.cuda.Event with stream.wait_event() instead of torch.cuda.synchronize().',
  ),
});
