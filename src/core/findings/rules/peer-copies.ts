import {plural} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, mainDevice} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const isPeer = `kind = 'gpu_memcpy' AND device IS ${mainDevice} AND (name LIKE '%PtoP%' OR name LIKE '%Peer-to-Peer%')`;

/** Tensors that one GPU takes from another. */
export const peerCopies = defineRule({
  id: 'copies/peer',
  looksFor: 'Copies from one GPU to another.',
  silentBelow: silentShare,
  facts: {
    time: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isPeer}`),
    copies: count(`SELECT count(*) FROM gpu_operations WHERE ${isPeer}`),
    bytes: {sql: `SELECT coalesce(sum(bytes), 0) FROM gpu_operations WHERE ${isPeer}`, unit: 'bytes'},
    span: ns(gpuSpan),
    start: text(`SELECT start_ns FROM gpu_operations WHERE ${isPeer} ORDER BY duration_ns DESC, start_ns LIMIT 1`),
    file: text(workFile(isPeer)),
    line: text(workLine(isPeer)),
  },
  conclude(number, text) {
    const severity = severityOf(number('time'), number('span'));
    if (!severity) return null;
    return {
      severity,
      title: `Tensors are copied from GPU to GPU: ${plural(number('copies'), 'copy')}, ${formatDuration(number('time'))}, ${formatPercent(number('time'), number('span'))} of the GPU’s time.`,
      evidence: [
        ['time', 'Copies between GPUs'],
        ['copies', 'Their number'],
        ['bytes', 'What they move'],
        ['span', 'From the GPU’s first operation to its last'],
      ],
      gainAtMostNs: number('time'),
      advice:
        'Give each GPU a process of its own (torchrun, DistributedDataParallel instead of DataParallel), keep a layer and its inputs on one device, and copy with non_blocking=True on another stream. nvidia-smi topo -m shows whether NVLink joins the GPUs.',
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#use-nn-parallel-distributeddataparallel-instead-of-multiprocessing-or-nn-dataparallel',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
