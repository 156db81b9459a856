import {say} from '../../base/say.js';
import {formatDuration} from '../../format/duration.js';
import {gpuSpan} from './idle-sql.js';
import {count, defineRule, ns, ratio, text} from './rule.js';

/**
 * Ranges that are steps: numbers after a `#` count instances. A long first instance is a warm-up only if later ones are
 * shorter: if instances of the second half are as long, lengths merely vary.
 */
const steps = `WITH named AS (
  SELECT start_ns, duration_ns, CASE WHEN name LIKE 'ProfilerStep#%' THEN 'ProfilerStep' ELSE name END AS step FROM ranges
), numbered AS (
  SELECT step, start_ns, duration_ns, row_number() OVER (PARTITION BY step ORDER BY start_ns) AS nth,
    row_number() OVER (PARTITION BY step ORDER BY duration_ns, start_ns) AS place, count(*) OVER (PARTITION BY step) AS instances
  FROM named
), compared AS (
  SELECT step, instances, max(start_ns) FILTER (WHERE nth = 1) AS start_ns, sum(duration_ns) FILTER (WHERE nth = 1) AS first_ns,
    sum(duration_ns) FILTER (WHERE place = (instances + 1) / 2) AS median_ns
  FROM numbered WHERE instances >= 4 GROUP BY step
), long_firsts AS (
  SELECT *, 1.0 * first_ns / median_ns AS factor FROM compared WHERE median_ns >= 100000 AND first_ns >= 3 * median_ns
), later AS (
  SELECT step, avg(n.duration_ns >= 3 * f.median_ns) AS long_part FROM numbered AS n JOIN long_firsts AS f USING (step)
  WHERE 2 * n.nth > n.instances GROUP BY step
), worst AS (
  SELECT f.* FROM long_firsts AS f JOIN later USING (step)
  WHERE long_part <= 0.1 AND first_ns - median_ns >= 0.01 * coalesce(nullif((${gpuSpan}), 0), (SELECT max(end_ns) - min(start_ns) FROM slices))
  ORDER BY first_ns - median_ns DESC, step LIMIT 1
)`;
const leastFactor = 3;

/** Finds a range whose first instance is far longer than the others, and is included in means and totals. */
export const firstStep = defineRule({
  id: 'doubt/warm-up-included',
  looksFor: 'Ranges whose first instance takes at least three times the median: the measurement includes warm-up.',
  silentBelow:
    'If there are fewer than four instances, if the median is below 100 µs, if the first takes less than three times the median, or if the excess is below 1 % of the time from the GPU’s first operation to its last (of the whole profile if it has no GPU work). Also if more than a tenth of the later half takes three times the median: the instances then vary anyway. From a factor of ten: medium.',
  doubtsFigures: true,
  facts: {
    factor: ratio(`${steps} SELECT round(factor, 2) FROM worst`),
    first: ns(`${steps} SELECT first_ns FROM worst`),
    median: ns(`${steps} SELECT median_ns FROM worst`),
    instances: count(`${steps} SELECT instances FROM worst`),
    name: text(`${steps} SELECT step FROM worst`),
    start: text(`${steps} SELECT start_ns FROM worst`),
  },
  conclude(number, text) {
    if (number('factor') < leastFactor) return null;
    return {
      severity: number('factor') < 10 ? 'low' : 'medium',
      title: say(
        'The measurement includes warm-up: the first “{0}” takes {1}, {2} times the median.',
        String(text('name')),
        formatDuration(number('first')),
        number('factor').toFixed(1),
      ),
      evidence: [
        ['first', say('The first instance')],
        ['median', say('The median of all instances')],
        ['factor', say('The first over the median')],
        ['instances', say('Instances')],
      ],
      gainAtMostNs: null,
      advice: say(
        'Totals and means include compilation, allocation and the choice of algorithms. Run a few steps before you record (schedule(wait=1, warmup=3, active=3)), or look only at later steps (--step N).',
      ),
      link: 'https://docs.pytorch.org/docs/stable/profiler.html#torch.profiler.schedule',
      startNs: text('start'),
    };
  },
});
