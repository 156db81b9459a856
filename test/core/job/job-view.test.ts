import {expect, it} from 'vitest';
import {jobFacts} from '../../../src/core/job/job-report.js';
import {jobView} from '../../../src/core/job/job-view.js';
import {ownStepNs, rankStandings} from '../../../src/core/job/rank-standings.js';
import {madeJob} from '../../support/job-ranks.js';

const late = madeJob({ranks: 4, steps: 6, callsPerStep: 3, lateNs: rank => (rank === 2 ? 20e6 : 0)});

it('a view of a job has each rank’s steps as the rank has them', () => {
  const {report, stepNs, stepFromNs} = jobView(jobFacts([...late].reverse()));
  expect(report.ranks.map(({rank}) => rank)).toEqual([0, 1, 2, 3]);
  const expected = late.flatMap(({steps}) => steps.map(({startNs, endNs}) => [startNs, endNs - startNs]));
  expect([...stepNs].map((ns, cell) => [stepFromNs[cell], ns])).toEqual(expected);
});

it('a view’s waiting adds up to that of the report', () => {
  const {report, stepWaitNs} = jobView(jobFacts(late));
  const columns = report.steps.length;
  for (const [row, {waitNs}] of report.ranks.entries()) {
    const inSteps = [...stepWaitNs.subarray(row * columns, (row + 1) * columns)].reduce((sum, ns) => sum + ns, 0);
    expect(inSteps).toBeCloseTo(waitNs ?? NaN, 3);
  }
});

it('the rank that the others wait for is the slowest by its own time, though all steps are equally long', () => {
  const view = jobView(jobFacts(late));
  expect(new Set(view.stepNs).size).toBe(1);
  const own = ownStepNs(view);
  expect(own.indexOf(Math.max(...own))).toBe(2);
  expect(rankStandings(view).get(2)).toBe('slowest');
  expect([...rankStandings(view).values()].sort()).toEqual(['fastest', 'median', 'slowest']);
});

it('a rank without a step or a range has no figure there', () => {
  const [first, second] = late;
  if (!first || !second) throw new Error('two ranks');
  const range = {name: 'forward', gpuWorkNs: 60, cpuWallNs: 1, cpuSelfNs: 1};
  const view = jobView(
    jobFacts([
      {...first, ranges: [range]},
      {...second, steps: second.steps.slice(0, 5), calls: []},
    ]),
  );
  expect(view.stepNs[11]).toBeNaN();
  expect([...view.rangeNs]).toEqual([10, NaN]);
  expect(view.rangeColumns).toBe(1);
});
