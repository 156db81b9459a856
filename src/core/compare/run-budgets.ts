import {say} from '../base/say.js';
import {parseBudget} from './budget-text.js';
import {checkBudgets, type BudgetResult, type WrittenBudget} from './check-budgets.js';
import {workPart, hasSteps} from '../gpu-work/work-part.js';
import {comparedParts, compareRuns} from './run-comparison.js';
import type {SelectedRun} from './run-comparison-input.js';

/**
 * Checks budgets against one run. Limits of work need no other run; limits relative to a base cannot be checked.
 *
 * @see docs/metrics.md#budgets
 */
export function checkRunBudgets(
  budgets: readonly WrittenBudget[],
  run: SelectedRun,
  base: SelectedRun | null,
): BudgetResult[] {
  const alone = workPart(run.trace, run.selection, hasSteps(run.trace, run.selection));
  const comparison = base && compareRuns(base, run, ['class']);
  const parts = base && comparedParts(base, run);
  return budgets.flatMap(budget => {
    const limit = parseBudget(budget.text, budget.ofLine)?.limit;
    if (limit?.type !== 'slower') return checkBudgets([budget], sameRun, alone, alone);
    if (comparison && parts) {
      return checkBudgets([budget], comparison.comparable, ...parts, comparison.noise.betweenRuns);
    }
    return [
      {
        budget: budget.text,
        place: budget.place,
        verdict: 'cannot tell' as const,
        text: say('There is no run to compare with: pin one as a baseline, or record another.'),
      },
    ];
  });
}

const sameRun = {verdict: 'yes', reasons: []} as const;
