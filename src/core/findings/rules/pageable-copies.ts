import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, gpuWork, mainDevice} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const isPageable = `kind = 'gpu_memcpy' AND device IS ${mainDevice} AND 'Pageable' IN (source_memory, target_memory)`;

/** Finds copies from and to pageable memory: they are slower, and the CPU waits. */
export const pageableCopies = defineRule({
  id: 'copies/pageable',
  looksFor: 'Copies between the GPU and pageable memory of the CPU.',
  silentBelow: silentShare,
  facts: {
    copies: count(`SELECT count(*) FROM gpu_operations WHERE ${isPageable}`),
    time: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isPageable}`),
    bytes: {sql: `SELECT coalesce(sum(bytes), 0) FROM gpu_operations WHERE ${isPageable}`, unit: 'bytes'},
    span: ns(gpuSpan),
    work: ns(gpuWork),
    start: text(`SELECT start_ns FROM gpu_operations WHERE ${isPageable} ORDER BY duration_ns DESC, start_ns LIMIT 1`),
    file: text(workFile(isPageable)),
    line: text(workLine(isPageable)),
  },
  conclude(number, text) {
    const severity = severityOf(number('time'), number('span'));
    if (!severity) return null;
    return {
      severity,
      title: say(
        'Copies use pageable memory: {0}, {1}, {2} of the GPU’s time.',
        counted(number('copies'), '{0} copy', '{0} copies'),
        formatDuration(number('time')),
        formatPercent(number('time'), number('span')),
      ),
      evidence: [
        ['time', say('Copies to and from pageable memory')],
        ['copies', say('Count')],
        ['bytes', say('Bytes they move')],
        ['span', say('From the GPU’s first operation to its last')],
        ['work', say('All GPU operations')],
      ],
      gainAtMostNs: number('time'),
      advice: say(
        'Pin the memory and overlap the copy with computation: DataLoader(…, pin_memory=True), then batch.to("cuda", non_blocking=True).',
      ),
      link: 'https://docs.pytorch.org/tutorials/intermediate/pinmem_nonblock.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
