import {expect, it} from 'vitest';
import {comparisonTable} from '../../../src/core/benchmark/comparison-table.js';
import type {Measurement} from '../../../src/core/benchmark/measurement.js';
import {stepStatistics} from '../../../src/core/benchmark/step-statistics.js';

const measured = (id: number, variant: string, stepMs: number[]): Measurement => {
  const stepNs = stepMs.map(ms => ms * 1e6);
  return {
    ...{id, target: 'command', variant, size: '', contextLength: null, batch: null, device: null, compile: null},
    ...{precision: null, pass: '', warmupNs: [], stepNs, phaseNs: {}, statistics: stepStatistics(stepNs)},
    ...{problem: null, message: null, tokensPerSecond: null, samplesPerSecond: null, memory: null},
    ...{parameters: null, parametersWithoutEmbedding: null},
  };
};

const textsOf = (first: number[], second: number[]) => {
  const {rows} = comparisonTable([measured(0, 'a.py', first), measured(1, 'b.py', second)], 'variant');
  return rows[0]?.map(({text, tone}) => `${text} ${tone}`).slice(-4);
};

it('comparisonTable(measurements, axis) takes no noise for a difference: a script against its own copy', () => {
  // The means are 12.5 % apart, and one step of the copy took three times as long.
  const first = [100, 130, 98, 126, 99, 131];
  const copy = [101, 99, 129, 128, 100, 300];
  expect(textsOf(first, copy)).toEqual([
    '113.0 none',
    '114.5 none',
    '– none',
    expect.stringMatching(/^not measurable \(±\d+ %\) none$/) as string,
  ]);
});

it('comparisonTable(measurements, axis) has the change of medians with its noise where it is above that', () => {
  const first = [100, 101, 99, 100, 102, 98, 100, 101];
  const slower = [110, 111, 109, 110, 112, 108, 110, 400];
  // The table of Mann and Whitney's test leaves out 13 of the 64 differences at each end: 9 to 12 ms are left. The
  // halves of the slower run are 1 ms apart, and the middle half of its steps takes 3 ms: 1.5 + 1 + 3.
  expect(textsOf(first, slower)).toEqual(['100.0 none', '110.0 none', '+10.0 ± 5.5 worse', '+10 % (±6) worse']);
  expect(textsOf(slower, first)?.at(-1)).toMatch(/^−9\.\d % \(±\d\.\d\) better$/);
});

it('comparisonTable(measurements, axis) takes runs for equal that differ by what else the machine did meanwhile', () => {
  // A script and its own copy, as they were measured while other programs came and went.
  const first = [299, 452, 334, 618, 466, 396, 461, 448];
  const copy = [203, 170, 292, 292, 212, 433, 216, 289];
  expect(textsOf(first, copy)?.at(-1)).toMatch(/^not measurable \(±\d+ %\) none$/);
});

/** Measurements of a text: means with their deviations, if there are any, ms. */
const kept = (size: string, ...figures: readonly (readonly [meanMs: number, stdMs: number | null])[]) =>
  figures.map(([meanMs, stdMs], at): Measurement => {
    const stdNs = stdMs === null ? null : stdMs * 1e6;
    return {...measured(at, at === 0 ? 'fp32' : 'bf16', []), size, statistics: {meanNs: meanMs * 1e6, stdNs}};
  });

const keptTable = (...measurements: readonly Measurement[]) => {
  const {columns, rows} = comparisonTable(measurements, 'variant');
  return {
    titles: columns.slice(-2).map(({title}) => title),
    cells: rows.map(row => row.slice(-2).map(({text, tone, value}) => [text, tone, value])),
  };
};

it('comparisonTable(measurements, axis) has both deviations together as the interval of printed means', () => {
  expect(keptTable(...kept('small', [20, 0.5], [25, 1]), ...kept('large', [400, 10], [390, 15]))).toEqual({
    titles: ['Difference', '% Change'],
    cells: [
      [
        ['+5.00 ± 1.50', 'worse', 5],
        ['+25 % (±8)', 'worse', 25],
      ],
      [
        ['-10.0 ± 25.0', 'none', -10],
        ['−2.5 % (±6.3)', 'none', -2.5],
      ],
    ],
  });
});

it('comparisonTable(measurements, axis) says that printed means without deviations have no interval', () => {
  const means = kept('small', [20, null], [25, null]);
  expect(keptTable(...means)).toEqual({
    titles: ['Difference (no interval)', '% Change (no interval)'],
    cells: [
      [
        ['+5.00', 'worse', 5],
        ['+25.0%', 'worse', 25],
      ],
    ],
  });
  // Beside differences that have one, none is shown without.
  const {titles, cells} = keptTable(...means, ...kept('large', [400, 10], [440, 15]));
  expect(titles).toEqual(['Difference', '% Change']);
  expect(cells[0]).toEqual([
    ['–', 'none', null],
    ['not measurable', 'none', null],
  ]);
});
