import {say} from '../../base/say.js';
import {formatCount} from '../../format/count.js';
import {count, defineRule, ns, text} from './rule.js';

/** PyTorch's own range around `Optimizer.step`; older versions recorded it as an operator. */
const isStep =
  "name LIKE 'Optimizer.step#%' AND kind IN ('user_annotation', 'cpu_op', 'nvtx_pushpop', 'nvtx_startend')";
const ofSteps = (what: string) => `SELECT ${what} FROM slices WHERE ${isStep}`;

/** Kernels that a thread launches during a step. */
const kernelsOfSteps = (what: string) => `WITH marks AS (
  SELECT track_id, start_ns AS at_ns, end_ns, NULL AS name, NULL AS duration_ns FROM slices WHERE ${isStep}
  UNION ALL SELECT launch_track_id, launch_start_ns, NULL, name, duration_ns FROM kernels WHERE launch_start_ns IS NOT NULL
), launched AS (
  SELECT name, duration_ns, at_ns < max(end_ns) OVER (
    PARTITION BY track_id ORDER BY at_ns, name IS NOT NULL ROWS UNBOUNDED PRECEDING
  ) AS is_inside FROM marks
)
SELECT ${what} FROM launched WHERE is_inside AND name IS NOT NULL`;
const isForeach = "name LIKE '%multi_tensor_apply%' OR name LIKE '%fused%'";
const leastKernelsPerStep = 200;

/** Finds an optimizer that launches several kernels for each parameter. */
export const optimizer = defineRule({
  id: 'optimizer/one-by-one',
  looksFor: 'Optimizer steps that launch kernels for each parameter instead of a few for all parameters.',
  silentBelow: 'Below 200 kernels per step, or if most of them are foreach or fused kernels.',
  facts: {
    kernels: count(kernelsOfSteps('count(*)')),
    foreach: count(`${kernelsOfSteps('count(*)')} AND (${isForeach})`),
    steps: count(ofSteps('count(*)')),
    work: ns(kernelsOfSteps('coalesce(sum(duration_ns), 0)')),
    wall: ns(ofSteps('coalesce(sum(duration_ns), 0)')),
    name: text(`${ofSteps('name')} ORDER BY duration_ns DESC LIMIT 1`),
    start: text(`${ofSteps('start_ns')} ORDER BY duration_ns DESC LIMIT 1`),
  },
  conclude(number, text) {
    const perStep = number('steps') > 0 ? number('kernels') / number('steps') : 0;
    if (perStep < leastKernelsPerStep || number('foreach') > number('kernels') / 2) return null;
    return {
      severity: perStep < 5 * leastKernelsPerStep ? 'low' : 'medium',
      title: say(
        'The optimizer launches {0} kernels per step, one parameter at a time.',
        formatCount(Math.round(perStep)),
      ),
      evidence: [
        ['kernels', say('Kernels launched in {0}', String(text('name') ?? 'Optimizer.step'))],
        ['steps', say('Optimizer steps')],
        ['work', say('Their GPU work')],
        ['wall', say('CPU time in optimizer steps')],
      ],
      gainAtMostNs: Math.max(number('wall'), number('work')),
      advice: say(
        'Choose the fused or foreach implementation: torch.optim.AdamW(model.parameters(), fused=True). It updates all parameters with a few kernels.',
      ),
      link: 'https://docs.pytorch.org/docs/stable/optim.html',
      startNs: text('start'),
    };
  },
});
