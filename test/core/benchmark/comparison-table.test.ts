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
  expect(textsOf(first, slower)).toEqual(['100.0 none', '110.0 none', '+10.0 worse', '+10 % (±6) worse']);
  expect(textsOf(slower, first)?.at(-1)).toMatch(/^−9\.\d % \(±\d\.\d\) better$/);
});

it('comparisonTable(measurements, axis) takes runs for equal that differ by what else the machine did meanwhile', () => {
  // A script and its own copy, as they were measured while other programs came and went.
  const first = [299, 452, 334, 618, 466, 396, 461, 448];
  const copy = [203, 170, 292, 292, 212, 433, 216, 289];
  expect(textsOf(first, copy)?.at(-1)).toMatch(/^not measurable \(±\d+ %\) none$/);
});
