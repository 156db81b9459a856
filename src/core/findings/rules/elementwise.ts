import {say} from '../../base/say.js';
import {counted} from '../../format/count.js';
import {formatDuration, formatPercent} from '../../format/duration.js';
import {gpuWork} from './idle-sql.js';
import {workFile, workLine} from './place-sql.js';
import {count, defineRule, ns, text, type FactValue} from './rule.js';

/** PyTorch writes casts and copies between layouts with the same template, and compilers fuse them in the same way. */
const isElementwise =
  "kind = 'kernel' AND (class = 'elementwise' OR (class = 'copy' AND name LIKE '%elementwise_kernel%')) AND name NOT LIKE 'triton_%'";
const leastPart = 0.2;

/** The number of names of a chain that are listed. */
const namedOfChain = 6;

/**
 * `chains`: two or more consecutive elementwise operations on a stream, with their names; `worst`: the sequence of
 * names that takes the most time.
 */
const chains = `WITH marked AS (
  SELECT id, pid, device, stream, duration_ns, coalesce(operator, short_name) AS name, (${isElementwise}) AS is_it FROM gpu_operations
), numbered AS (
  SELECT *, row_number() OVER (PARTITION BY pid, device, stream ORDER BY id) - row_number() OVER (PARTITION BY pid, device, stream, is_it ORDER BY id) AS chain
  FROM marked
), links AS (
  SELECT *, row_number() OVER (PARTITION BY pid, device, stream, chain ORDER BY id) AS nth FROM numbered WHERE is_it
), chains AS (
  SELECT count(*) AS links, sum(duration_ns) AS ns, group_concat(name, ' → ' ORDER BY id) FILTER (WHERE nth <= ${String(namedOfChain)}) AS names
  FROM links GROUP BY pid, device, stream, chain HAVING count(*) >= 2
), worst AS (SELECT names, links, count(*) AS times, sum(ns) AS ns FROM chains GROUP BY names, links ORDER BY sum(ns) DESC, names LIMIT 1)`;

/** Finds many kernels that each read and write whole tensors for one small operation. */
export const elementwise = defineRule({
  id: 'kernels/elementwise',
  looksFor: 'Elementwise kernels (including casts and layout copies) that no compiler fused.',
  silentBelow: 'Below 20 % of the GPU’s work, or 100 kernels. From 40 %: medium.',
  facts: {
    elementwise: ns(`SELECT coalesce(sum(duration_ns), 0) FROM gpu_operations WHERE ${isElementwise}`),
    kernels: count(`SELECT count(*) FROM gpu_operations WHERE ${isElementwise}`),
    work: ns(gpuWork),
    chains: count(`${chains} SELECT count(*) FROM chains`),
    chained: ns(`${chains} SELECT coalesce(sum(ns), 0) FROM chains`),
    saved: count(`${chains} SELECT coalesce(sum(links - 1), 0) FROM chains`),
    times: count(`${chains} SELECT times FROM worst`),
    sequenceTime: ns(`${chains} SELECT ns FROM worst`),
    sequence: text(`${chains} SELECT names FROM worst`),
    links: text(`${chains} SELECT links FROM worst`),
    start: text(
      `SELECT start_ns FROM gpu_operations WHERE ${isElementwise} ORDER BY duration_ns DESC, start_ns LIMIT 1`,
    ),
    file: text(workFile(isElementwise)),
    line: text(workLine(isElementwise)),
  },
  conclude(number, text) {
    const part = number('work') > 0 ? number('elementwise') / number('work') : 0;
    if (part < leastPart || number('kernels') < 100) return null;
    return {
      severity: part < 2 * leastPart ? 'low' : 'medium',
      title: say(
        'Elementwise kernels take {0} of the GPU’s work: {1} in {2} that are not fused.',
        formatPercent(number('elementwise'), number('work')),
        formatDuration(number('elementwise')),
        counted(number('kernels'), '{0} kernel', '{0} kernels'),
      ),
      evidence: [
        ['elementwise', say('Elementwise kernels that are not Triton’s')],
        ['kernels', say('Count')],
        ['work', say('All GPU operations')],
        ...(number('chains') > 0
          ? ([
              ['chains', say('Chains of them on a stream, with no other operation in between')],
              ['chained', say('The time of these chains')],
              ['saved', say('Launches saved by one kernel per chain')],
              [
                'times',
                say(
                  'Times that {0} comes, the sequence that takes most',
                  sequenceText(text('sequence'), number('links')),
                ),
              ],
              ['sequenceTime', say('Its time')],
            ] as const)
          : []),
      ],
      gainAtMostNs: number('elementwise'),
      advice: say(
        'Each of them reads and writes whole tensors. torch.compile(model) fuses chains of them into one kernel; fused activations and normalisations of a library do the same by hand.',
      ),
      link: 'https://docs.pytorch.org/tutorials/intermediate/torch_compile_tutorial.html',
      file: text('file'),
      line: text('line'),
      startNs: text('start'),
    };
  },
});

/** Returns a chain's names, and the number of further ones. */
function sequenceText(names: FactValue, links: number): string {
  return links > namedOfChain
    ? say('“{0}” and {1} more', String(names), links - namedOfChain)
    : say('“{0}”', String(names));
}
