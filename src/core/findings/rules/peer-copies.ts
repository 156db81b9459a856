import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuSpan, mainDevice} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text} from './rule.js';
import {severityOf, silentShare} from './severity.js';

const isPeer = `kind = 'gpu_memcpy' AND device IS ${mainDevice} AND (name LIKE '%PtoP%' OR name LIKE '%Peer-to-Peer%')`;

/** Finds tensors copied from one GPU to another. */
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
      title: say(
        'Tensors are copied from GPU to GPU: {0}, {1}, {2} of the GPU’s time.',
        counted(number('copies'), '{0} copy', '{0} copies'),
        formatDuration(number('time')),
        formatPercent(number('time'), number('span')),
      ),
      evidence: [
        ['time', say('Copies between GPUs')],
        ['copies', say('Count')],
        ['bytes', say('Bytes they move')],
        ['span', say('From the GPU’s first operation to its last')],
      ],
      gainAtMostNs: number('time'),
      advice: say(
        'Give each GPU a process of its own (torchrun, DistributedDataParallel instead of DataParallel), keep a layer and its inputs on one device, and copy with non_blocking=True on another stream. nvidia-smi topo -m shows whether NVLink joins the GPUs.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/notes/cuda.html#use-nn-parallel-distributeddataparallel-instead-of-multiprocessing-or-nn-dataparallel',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});
