import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {formatDuration} from '../../format/duration.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';

const smallBytes = 65_536;
const leastCopies = 200;
const isSmall = `kind = 'gpu_memcpy' AND bytes < ${String(smallBytes)} AND (name LIKE '%HtoD%' OR name LIKE '%DtoH%' OR name LIKE '%Host-to-Device%' OR name LIKE '%Device-to-Host%')`;
const callsTime = `SELECT coalesce(sum(duration_ns), 0) FROM api_calls WHERE name LIKE '%emcpy%'
  AND slice_id IN (SELECT launch_slice_id FROM gpu_operations WHERE ${isSmall})`;

/** Finds many copies of a few bytes, each of which costs a call. */
export const smallCopies = defineRule({
  id: 'copies/small',
  looksFor: 'Many copies of less than 64 KiB between CPU and GPU.',
  silentBelow: 'Below 200 such copies. From 1,000: medium.',
  facts: {
    copies: count(`SELECT count(*) FROM gpu_operations WHERE ${isSmall}`),
    bytes: {sql: `SELECT coalesce(sum(bytes), 0) FROM gpu_operations WHERE ${isSmall}`, unit: 'bytes'},
    time: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isSmall}`),
    calls: ns(callsTime),
    start: text(`SELECT min(start_ns) FROM gpu_operations WHERE ${isSmall}`),
    file: text(workFile(isSmall)),
    line: text(workLine(isSmall)),
  },
  conclude(number, text) {
    if (number('copies') < leastCopies) return null;
    return {
      severity: number('copies') < 5 * leastCopies ? 'low' : 'medium',
      title: say(
        '{0} copies of less than 64 KiB go between CPU and GPU; the calls take {1} of CPU time.',
        formatCount(number('copies')),
        formatDuration(number('calls')),
      ),
      evidence: [
        ['copies', say('Copies of less than 64 KiB')],
        ['bytes', say('Bytes they move in total')],
        ['time', say('Their time on the GPU')],
        ['calls', say('CPU time in their calls')],
      ],
      gainAtMostNs: number('calls'),
      advice: say(
        'Gather the values on one side and copy them once: torch.stack(values).cpu() instead of one .item() per value, and build index tensors on the GPU (torch.arange(…, device="cuda")).',
      ),
      link: 'https://docs.nvidia.com/cuda/cuda-c-best-practices-guide/#data-transfer-between-host-and-device',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
