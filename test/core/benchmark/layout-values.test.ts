import {expect, it} from 'vitest';
import {comparisonTable} from '../../../src/core/benchmark/comparison-table.js';
import type {LayoutTable} from '../../../src/core/benchmark/layout-table.js';
import {measurementOf} from '../../../src/core/benchmark/measurement.js';
import {pointsTable} from '../../../src/core/benchmark/points-table.js';
import {timesTable} from '../../../src/core/benchmark/times-table.js';
import {pointResult} from '../../support/sweep.js';

const measurements = (['fp32', 'bf16'] as const).map((precision, at) =>
  measurementOf(
    at,
    pointResult({
      precision,
      contextLength: 1024,
      result: at === 0 ? {stepNs: [99e6, 100e6, 101e6, 100e6]} : {stepNs: [49e6, 50e6, 51e6, 50e6]},
    }),
  ),
);
const failed = measurementOf(2, pointResult({contextLength: 4096, precision: 'fp32', result: {error: 'oom'}}));

const column = ({columns, rows}: LayoutTable, title: string) => {
  const at = columns.findIndex(one => one.title === title);
  return rows.map(row => row[at]?.value);
};

it('cells have their figure in the unit of the column, by which rows are sorted, and none where it is missing', () => {
  const times = timesTable([...measurements, failed]);
  expect(column(times, 'Context length')).toEqual([1024, 4096]);
  expect(column(times, 'fp32 (ms)')).toEqual([100, null]);
  expect(column(times, 'Size')).toEqual([null, null]);
  const points = pointsTable(measurements);
  expect(column(points, 'Min (ms)')).toEqual([99, 49]);
  expect(column(points, 'Steps')).toEqual([4, 4]);
  expect(column(points, 'Peak memory (MB)')).toEqual([1000, 1000]);
  const change = comparisonTable(measurements, 'precision');
  expect(column(change, 'fp32')).toEqual([100]);
  expect(column(change, 'bf16')).toEqual([50]);
  const [difference, percent] = ['Difference', '% Change'].map(title => column(change, title)[0]);
  expect(difference).toBeCloseTo(-50, 6);
  expect(percent).toBeCloseTo(-50, 6);
});
