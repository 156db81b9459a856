import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, mainDevice} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

/** Copies within a GPU return at once; pageable memory is a separate finding. */
const isSynchronous = `kind = 'gpu_memcpy' AND device IS ${mainDevice} AND (launch_name LIKE 'cudaMemcpy%' OR launch_name LIKE 'hipMemcpy%' OR launch_name LIKE 'cuMemcpy%')
  AND launch_name NOT LIKE '%Async%' AND name NOT LIKE '%DtoD%' AND name NOT LIKE '%Device-to-Device%'
  AND coalesce(source_memory, '') <> 'Pageable' AND coalesce(target_memory, '') <> 'Pageable'`;

/** Finds copies that block the thread that starts them. */
export const synchronousCopies = defineRule({
  id: 'copies/synchronous',
  looksFor: 'Copies between CPU and GPU that a synchronous call (`cudaMemcpy` without `Async`) started.',
  silentBelow: `${silentShare} copies/pageable reports copies of pageable memory.`,
  facts: {
    time: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isSynchronous}`),
    copies: count(`SELECT count(*) FROM gpu_operations WHERE ${isSynchronous}`),
    bytes: {sql: `SELECT coalesce(sum(bytes), 0) FROM gpu_operations WHERE ${isSynchronous}`, unit: 'bytes'},
    held: ns(`SELECT coalesce(sum(launch_end_ns - launch_start_ns), 0) FROM gpu_operations WHERE ${isSynchronous}`),
    span: ns(gpuSpan),
    start: text(
      `SELECT start_ns FROM gpu_operations WHERE ${isSynchronous} ORDER BY duration_ns DESC, start_ns LIMIT 1`,
    ),
    file: text(workFile(isSynchronous)),
    line: text(workLine(isSynchronous)),
  },
  conclude(number, text) {
    const severity = severityOf(number('time'), number('span'));
    if (!severity) return null;
    return {
      severity,
      title: say(
        'Synchronous copies block the CPU: {0}, {1}, {2} of the GPU’s time.',
        counted(number('copies'), '{0} copy', '{0} copies'),
        formatDuration(number('time')),
        formatPercent(number('time'), number('span')),
      ),
      evidence: [
        ['time', say('Copies that a synchronous call started')],
        ['copies', say('Count')],
        ['bytes', say('Bytes they move')],
        ['held', say('Time threads spend in these calls')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('time'),
      advice: say(
        'Overlap the copy with computation: tensor.to("cuda", non_blocking=True) from pinned memory. In CUDA, use cudaMemcpyAsync on a separate stream, and an event for the code that needs the data.',
      ),
      link: 'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
