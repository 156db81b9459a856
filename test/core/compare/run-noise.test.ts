import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {root} from '../../../scripts/lib/run.mjs';
import {judgeRows, judgeTotal, runNoiseOf, type Samples} from '../../../src/core/compare/row-verdicts.js';
import {noiseOfRepeats, noiseOfRows, runDeviation} from '../../../src/core/compare/run-noise.js';
import {noisyRuns} from '../../support/noisy-steps.js';
import {seededRandom} from '../../support/random.js';

const {runsUs} = JSON.parse(readFileSync(join(root, 'test/fixtures/repeated-runs/runs.json'), 'utf8')) as {
  runsUs: number[][][];
};
const random = seededRandom(11);
const mean = (values: ArrayLike<number>) => Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
const sumOf = (run: readonly Float64Array[]) =>
  (run[0] ?? new Float64Array()).map((_, at) => run.reduce((sum, row) => sum + (row[at] ?? 0), 0));

/** A run with its steps drawn anew, whole. */
function drawn(run: readonly number[][], steps: number): Float64Array[] {
  const at = Array.from({length: steps}, () => Math.floor(random() * (run[0]?.length ?? 0)));
  return run.map(row => Float64Array.from(at, step => row[step] ?? NaN));
}

/** Whether a report on two different runs of the same code has any row, or a total, that is faster or slower. */
function hasAlarm(steps: number, repeats: number): boolean {
  const order = runsUs.map(run => ({run, at: random()})).sort((a, b) => a.at - b.at);
  const [one, other, ...rest] = order.map(({run}) => run);
  const sides = [drawn(one ?? [], steps), drawn(other ?? [], steps)] as const;
  const others = [rest.slice(0, repeats), rest.slice(repeats, 2 * repeats)].map(runs =>
    runs.map(run => run.map(row => Float64Array.from(row))),
  );
  const samples = (pick: (run: readonly Float64Array[]) => Float64Array): Samples => {
    const [before, after] = [pick(sides[0]), pick(sides[1])];
    const means = (own: Float64Array, side: number) => [mean(own), ...(others[side] ?? []).map(run => mean(pick(run)))];
    const runMeans = repeats === 0 ? null : {before: means(before, 0), after: means(after, 1)};
    return {before, after, deltaNs: 1, runMeans};
  };
  const rows = sides[0].map((_, row) => samples(run => run[row] ?? new Float64Array()));
  const noise = runNoiseOf(rows);
  return [judgeTotal(samples(sumOf), noise), ...judgeRows(rows, noise)].some(
    ({verdict}) => verdict === 'faster' || verdict === 'slower',
  );
}

describe('runs of one script that were recorded at different times', () => {
  it.each([
    [10, 0],
    [30, 0],
    [30, 1],
  ])(
    'have a false alarm in at most one of twenty reports, over 1,000 resamples (%i steps, %i repeats a side)',
    (steps, repeats) => {
      let alarms = 0;
      for (let report = 0; report < 1000; report++) if (hasAlarm(steps, repeats)) alarms++;
      expect(alarms).toBeLessThanOrEqual(50);
    },
  );
});

describe('noiseOfRows(rows)', () => {
  const rowsOf = (shift: number, count = 40) => {
    const source = noisyRuns({rows: count, steps: 30, variation: 0.02, shared: 0}, 5);
    const [before, after] = [source(), source()];
    return before.map((row, at) => ({before: row, after: (after[at] ?? row).map(ns => ns * (1 + shift))}));
  };

  it('is 0 where rows differ by what their steps tell, and with fewer than eight rows', () => {
    expect(noiseOfRows(rowsOf(0))).toEqual({from: 'steps', perStepDeviation: 0});
    expect(noiseOfRows(rowsOf(0.01, 7))).toEqual({from: 'steps', perStepDeviation: 0});
  });

  it('grows with what all rows shift by, up to one standard deviation of a step', () => {
    // √(median((Δ ÷ SE)²) ÷ 0.455 ÷ 1.5 − 1) ÷ √30: Δ ÷ SE of 1.5 % is 2.9, so that this is about 0.5.
    const noise = noiseOfRows(rowsOf(0.015));
    expect(noise.from === 'steps' && noise.perStepDeviation).toBeGreaterThan(0.3);
    expect(noise.from === 'steps' && noise.perStepDeviation).toBeLessThan(0.8);
    expect(noiseOfRows(rowsOf(0.5))).toEqual({from: 'steps', perStepDeviation: 1});
  });

  it('is not moved by a change of a third of the rows', () => {
    const rows = rowsOf(0).map((row, at) => (at % 3 === 0 ? {...row, after: row.after.map(ns => ns * 2)} : row));
    const noise = noiseOfRows(rows);
    expect(noise.from === 'steps' && noise.perStepDeviation).toBeLessThan(0.3);
  });
});

it('noiseOfRepeats(rows) moderates the variance of a row with the typical one', () => {
  const means = {before: [100, 102], after: [100, 98]};
  // Variances 2 and 2 about 101 and 99, with a degree of freedom each: 2, relative to 101².
  const noise = noiseOfRepeats([means, null, {before: [10, 10], after: [10]}]);
  expect(noise).toEqual({from: 'runs', typicalVariance: (2 / 101 ** 2 + 0) / 2});
  const samples = {before: Float64Array.of(100, 100), after: Float64Array.of(100, 100)};
  const found = runDeviation(noise ?? {from: 'steps', perStepDeviation: 0}, samples, means);
  const squares = 2 * 2 + (1 / 101 ** 2) * 100 ** 2 * 4;
  expect(found?.freedom).toBe(6);
  expect(found?.deviationNs).toBeCloseTo(Math.sqrt((2 * squares) / 6), 9);
  expect(noiseOfRepeats([null, {before: [1], after: [2]}])).toBeNull();
});
