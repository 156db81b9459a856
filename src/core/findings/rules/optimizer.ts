import {formatCount} from '../../format/count.js';
import {count, defineRule, ns, text} from './rule.js';

/** Operations that are launched inside PyTorch's own range around `Optimizer.step`. */
const isOptimizer = "range_path LIKE '%Optimizer.step#%'";
const isForeach = "name LIKE '%multi_tensor_apply%' OR name LIKE '%fused%'";
const steps = "SELECT count(*) FROM ranges WHERE name LIKE 'Optimizer.step#%'";
const leastKernelsPerStep = 200;

/** The optimizer launches several kernels for each parameter. */
export const optimizer = defineRule({
  id: 'optimizer/one-by-one',
  looksFor: 'Optimizer steps that launch kernels for each parameter instead of a few for all.',
  silentBelow: 'Below 200 kernels a step, or where most of them are of the foreach or fused kind.',
  facts: {
    kernels: count(`SELECT count(*) FROM kernels WHERE ${isOptimizer}`),
    foreach: count(`SELECT count(*) FROM kernels WHERE (${isOptimizer}) AND (${isForeach})`),
    steps: count(steps),
    work: ns(`SELECT coalesce(sum(duration_ns), 0) FROM kernels WHERE ${isOptimizer}`),
    wall: ns("SELECT coalesce(sum(duration_ns), 0) FROM ranges WHERE name LIKE 'Optimizer.step#%'"),
    name: text("SELECT name FROM ranges WHERE name LIKE 'Optimizer.step#%' ORDER BY duration_ns DESC LIMIT 1"),
    start: text("SELECT start_ns FROM ranges WHERE name LIKE 'Optimizer.step#%' ORDER BY duration_ns DESC LIMIT 1"),
  },
  conclude(number, text) {
    const perStep = number('steps') > 0 ? number('kernels') / number('steps') : 0;
    if (perStep < leastKernelsPerStep || number('foreach') > number('kernels') / 2) return null;
    return {
      severity: perStep < 5 * leastKernelsPerStep ? 'low' : 'medium',
      title: `The optimizer launches ${formatCount(Math.round(perStep))} kernels a step, one parameter after the other.`,
      evidence: [
        ['kernels', `Kernels launched in ${String(text('name') ?? 'Optimizer.step')}`],
        ['steps', 'Optimizer steps'],
        ['work', 'Their work on the GPU'],
        ['wall', 'CPU time in optimizer steps'],
      ],
      gainAtMostNs: Math.max(number('wall'), number('work')),
      advice:
        'Choose the fused or foreach implementation: torch.optim.AdamW(model.parameters(), fused=True). It updates all parameters with a few kernels.',
      link: 'https://docs.pytorch.org/docs/stable/optim.html',
      startNs: text('start'),
    };
  },
});
