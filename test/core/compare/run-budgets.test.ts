import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {checkRunBudgets} from '../../../src/core/compare/run-budgets.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {runOf} from '../../support/compared-runs.js';
import {temporaryFolder} from '../../support/project.js';
import {twoRangeSteps} from '../../support/two-range-steps.js';

async function runWith(attentionUs: number, gpu?: string) {
  const path = join(temporaryFolder(), 'run.pt.trace.json');
  writeFileSync(path, twoRangeSteps(attentionUs, gpu));
  return runOf(await openTrace(path));
}

const written = (...texts: string[]) => texts.map(text => ({text, place: 'here'}));
const verdicts = (results: ReturnType<typeof checkRunBudgets>) => results.map(({verdict}) => verdict);

it('checks limits of work without another run, and tells that a change needs one', async () => {
  const budgets = written('attention <= 0.1 ms/step', 'attention <= 102 us/step', 'attention no slower by 5 %', '<= x');
  const results = checkRunBudgets(budgets, await runWith(100), null);
  // A step's attention takes 100, 101 or 102 µs: 101 in the mean.
  expect(verdicts(results)).toEqual(['broken', 'holds', 'cannot tell', 'cannot tell']);
  expect(results[0]?.text).toBe('101 µs a step; the budget is 100 µs a step.');
  expect(results[2]?.text).toContain('There is no run to compare with');
  expect(results[3]?.text).toBe('This budget is not understood.');
});

it('checks changes against a base, and fails closed where the runs are not comparable', async () => {
  const budgets = written('attention no slower than main by 5 %', 'attention <= 1 ms/step');
  const run = await runWith(120, 'NVIDIA H100');
  expect(verdicts(checkRunBudgets(budgets, run, await runWith(119, 'NVIDIA H100')))).toEqual(['holds', 'holds']);
  expect(verdicts(checkRunBudgets(budgets, run, await runWith(100, 'NVIDIA H100')))).toEqual(['broken', 'holds']);
  const [other, limit] = checkRunBudgets(budgets, run, await runWith(119, 'Tesla V100'));
  expect([other?.verdict, limit?.verdict]).toEqual(['cannot tell', 'holds']);
  expect(other?.text).toMatch(/^The runs are not comparable\. .*V100/);
});
