import {formatDuration} from '../../format/duration.js';
import {count, defineRule, ns, percent} from './rule.js';

const steps = "SELECT duration_ns FROM ranges WHERE name LIKE 'ProfilerStep#%' ORDER BY start_ns LIMIT -1 OFFSET 1";
const leastSteps = 4;
const leastPercent = 10;

/** Steps that differ so much that one of them says little. */
export const unevenSteps = defineRule({
  id: 'doubt/uneven-steps',
  looksFor: 'Steps of the profiler that differ among themselves, without the first one.',
  silentBelow: 'Below four such steps, or a coefficient of variation of 10 %. From 25 %: medium.',
  doubtsFigures: true,
  facts: {
    steps: count(`SELECT count(*) FROM (${steps})`),
    mean: ns(`SELECT CAST(avg(duration_ns) AS INTEGER) FROM (${steps})`),
    shortest: ns(`SELECT min(duration_ns) FROM (${steps})`),
    longest: ns(`SELECT max(duration_ns) FROM (${steps})`),
    variation: percent(
      `WITH steps AS (${steps}) SELECT round(100 * sqrt(sum((duration_ns - mean) * (duration_ns - mean)) / (count(*) - 1)) / mean, 1) FROM steps, (SELECT avg(duration_ns) AS mean FROM steps)`,
    ),
  },
  conclude(number) {
    if (number('steps') < leastSteps || number('variation') < leastPercent) return null;
    return {
      severity: number('variation') < 25 ? 'low' : 'medium',
      title: `Steps are uneven: ${formatDuration(number('shortest'))} to ${formatDuration(number('longest'))}, so that one of them says little.`,
      evidence: [
        ['variation', 'Standard deviation of the steps over their mean'],
        ['mean', 'A step on average, without the first'],
        ['shortest', 'The shortest'],
        ['longest', 'The longest'],
        ['steps', 'Steps without the first'],
      ],
      gainAtMostNs: null,
      advice:
        'Record more steps and compare medians. Look for what only some steps do: evaluation, checkpoints, logging, garbage collection, batches of other sizes.',
      link: 'https://docs.pytorch.org/tutorials/recipes/recipes/benchmark.html',
    };
  },
});
