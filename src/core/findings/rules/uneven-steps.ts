import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {mainDevice} from './idle-sql.js';
import {count, defineRule, ns, percent} from './rule.js';

/** Older versions of PyTorch recorded steps as operators. */
const isStep = "name LIKE 'ProfilerStep#%' AND kind IN ('user_annotation', 'cpu_op')";
const steps = `SELECT duration_ns FROM slices WHERE ${isStep} ORDER BY start_ns LIMIT -1 OFFSET 1`;

/** The GPU's steps: from the first operation launched in a step to the first of the next step, or to the last end. */
const gpuSteps = `WITH marks AS (
  SELECT start_ns AS at_ns, start_ns AS step_ns, NULL AS gpu_ns, NULL AS gpu_end_ns FROM slices WHERE ${isStep}
  UNION ALL SELECT launch_start_ns, NULL, start_ns, end_ns FROM gpu_operations WHERE launch_start_ns IS NOT NULL AND device IS ${mainDevice}
), launched AS (
  SELECT max(step_ns) OVER (ORDER BY at_ns, step_ns IS NULL ROWS UNBOUNDED PRECEDING) AS step_ns, gpu_ns, gpu_end_ns FROM marks
), firsts AS (
  SELECT step_ns, min(gpu_ns) AS first_ns, max(gpu_end_ns) AS last_ns FROM launched
  WHERE step_ns IS NOT NULL AND gpu_ns IS NOT NULL GROUP BY step_ns
)
SELECT coalesce(lead(first_ns) OVER (ORDER BY step_ns), last_ns) - first_ns AS duration_ns FROM firsts ORDER BY step_ns LIMIT -1 OFFSET 1`;

/** The standard deviation of lengths divided by their mean, percent. */
const variationOf = (lengths: string) =>
  `WITH steps AS (${lengths}) SELECT round(100 * sqrt(sum((duration_ns - mean) * (duration_ns - mean)) / (count(*) - 1)) / mean, 1) FROM steps, (SELECT avg(duration_ns) AS mean FROM steps)`;
const leastSteps = 4;
const leastPercent = 10;

/** Finds steps that vary so much that a single one is not representative. */
export const unevenSteps = defineRule({
  id: 'doubt/uneven-steps',
  looksFor: 'Profiler steps of different lengths, without the first one.',
  silentBelow:
    'Below four such steps or a coefficient of variation of 10 %. From 25 %: medium; low if the GPU’s steps are below 10 %.',
  doubtsFigures: true,
  facts: {
    steps: count(`SELECT count(*) FROM (${steps})`),
    mean: ns(`SELECT CAST(avg(duration_ns) AS INTEGER) FROM (${steps})`),
    shortest: ns(`SELECT min(duration_ns) FROM (${steps})`),
    longest: ns(`SELECT max(duration_ns) FROM (${steps})`),
    variation: percent(variationOf(steps)),
    gpuSteps: count(`SELECT count(*) FROM (${gpuSteps})`),
    gpuVariation: percent(variationOf(gpuSteps)),
  },
  conclude(number) {
    if (number('steps') < leastSteps || number('variation') < leastPercent) return null;
    const hasGpu = number('gpuSteps') >= leastSteps;
    const isGpuEven = hasGpu && number('gpuVariation') < leastPercent;
    const lengths = say('{0} to {1}', formatDuration(number('shortest')), formatDuration(number('longest')));
    return {
      severity: number('variation') < 25 || isGpuEven ? 'low' : 'medium',
      title: isGpuEven
        ? say('Steps are uneven on the CPU alone: {0}. The GPU’s steps are even, so measure on the GPU.', lengths)
        : say('Steps are uneven: {0}, so a single step is not representative.', lengths),
      evidence: [
        ['variation', say('Standard deviation of the step times over their mean')],
        ['mean', say('Mean step time, without the first step')],
        ['shortest', say('Shortest step')],
        ['longest', say('Longest')],
        ['steps', say('Steps without the first')],
        ...(hasGpu ? [['gpuVariation', say('The same for the GPU’s steps')] as const] : []),
      ],
      gainAtMostNs: null,
      advice: isGpuEven
        ? say(
            'The CPU runs ahead until the queue is full, then waits. Measure from the first GPU operation of one step to the first of the next, or synchronise before you read the clock.',
          )
        : say(
            'Record more steps and compare medians. Look for work that only some steps do: evaluation, checkpoints, logging, garbage collection, batches of other sizes.',
          ),
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/benchmark.html',
    };
  },
});
