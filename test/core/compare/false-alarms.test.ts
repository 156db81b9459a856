import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {workPart} from '../../../src/core/gpu-work/work-part.js';
import {judgeRows, judgeTotal, type Judgement} from '../../../src/core/compare/row-verdicts.js';
import {askWork} from '../../../src/core/gpu-work/ask-work.js';
import {workKinds} from '../../../src/core/gpu-work/work-groups.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {noisyRuns, resampledRuns} from '../../support/noisy-steps.js';
import {seededRandom} from '../../support/random.js';
import {dataFolder, hasData} from '../../support/real-data.js';

type Run = readonly Float64Array[];

function judge(before: Run, after: Run): readonly Judgement[] {
  const sums = [before, after].map(run =>
    (run[0] ?? new Float64Array()).map((_, at) => run.reduce((sum, row) => sum + (row[at] ?? 0), 0)),
  );
  const total = judgeTotal({before: sums[0] ?? null, after: sums[1] ?? null, deltaNs: 1});
  return [total, ...judgeRows(before.map((row, at) => ({before: row, after: after[at] ?? null, deltaNs: 1})))];
}

const isAlarm = ({verdict}: Judgement) => verdict === 'faster' || verdict === 'slower';

/** How many of so many reports on two runs of the same source have any row, or a total, that is faster or slower. */
function falseAlarms(source: () => Run, reports: number): number {
  let alarms = 0;
  for (let report = 0; report < reports; report++) if (judge(source(), source()).some(isAlarm)) alarms++;
  return alarms;
}

describe('two runs of the same code', () => {
  it.each([
    [5, 0.03],
    [8, 0.2],
    [14, 0.1],
    [30, 0.03],
    [30, 0.3],
  ])('have a false alarm in at most one report of twenty (%i steps, variation %d)', (steps, variation) => {
    const source = noisyRuns({rows: 60, steps, variation, shared: 0.3}, steps);
    expect(falseAlarms(source, 200)).toBeLessThanOrEqual(10);
  });

  it('have a false alarm in at most one report of twenty where each row differs by 0.5 % between runs', () => {
    const steps = noisyRuns({rows: 100, steps: 30, variation: 0.03, shared: 0.3}, 7);
    const random = seededRandom(5);
    const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
    const source = () =>
      steps().map(row => {
        const factor = 1 + 0.005 * normal();
        return row.map(ns => ns * factor);
      });
    expect(falseAlarms(source, 60)).toBeLessThanOrEqual(3);
  });

  it.skipIf(!hasData)(
    'have a false alarm in at most one report of twenty (steps of a recorded run, drawn 300 times)',
    async () => {
      const trace = await openTrace(join(dataFolder, 'compare', 'resnet50-workers-4.pt.trace.json.gz'));
      const part = workPart(trace, {}, true);
      const recorded = workKinds.flatMap(kind => askWork(part, kind).rows.map(({samplesNs}) => samplesNs));
      expect(recorded.length).toBeGreaterThan(50);
      for (const steps of [6, 30])
        expect(falseAlarms(resampledRuns(recorded, steps, steps), 150)).toBeLessThanOrEqual(7);
    },
  );
});

it('finds 5 % more in one of 100 rows of 30 steps with a variation of 3 % in 95 % of reports', () => {
  const source = noisyRuns({rows: 100, steps: 30, variation: 0.03, shared: 0.3}, 7);
  let found = 0;
  for (let report = 0; report < 100; report++) {
    const [before, after] = [source(), source()];
    const slower = after.map((row, at) => (at === 40 ? row.map(ns => 1.05 * ns) : row));
    if (judge(before, slower)[41]?.verdict === 'slower') found++;
  }
  expect(found).toBeGreaterThanOrEqual(95);
});

it('cannot tell with fewer than five steps, however large the difference is', () => {
  const source = noisyRuns({rows: 3, steps: 4, variation: 0.01, shared: 0}, 1);
  const verdicts = judge(
    source(),
    source().map(row => row.map(ns => 3 * ns)),
  ).map(({verdict, noise}) => ({verdict, noise}));
  expect(new Set(verdicts.map(({verdict}) => verdict))).toEqual(new Set(['cannot tell']));
  expect(verdicts.every(({noise}) => noise === null)).toBe(true);
});

it('gives the same noise whichever run is the base, and each time', () => {
  const source = noisyRuns({rows: 20, steps: 12, variation: 0.05, shared: 0.2}, 3);
  const [one, other] = [source(), source()];
  const noises = (before: Run, after: Run) => judge(before, after).map(({noise}) => noise);
  expect(noises(one, other)).toEqual(noises(other, one));
  expect(noises(one, other)).toEqual(noises(one, other));
});
