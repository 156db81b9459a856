import {expect, it} from 'vitest';
import {rowDurations} from '../../../src/core/tabs/row-durations.js';
import {itEachFile} from '../../support/each-file.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFiles} from '../../support/real-data.js';
import {traceOfEvents} from '../../support/trace-of-events.js';
import {openTrace} from '../../../src/importers/open-trace.js';

/** Kernels of one name, one after another, each with its µs. */
function kernels(...us: number[]) {
  let at = 0;
  return traceOfEvents(
    us.map((dur, id) => {
      at += 1000;
      return kineto.kernel(id + 1, at, dur);
    }),
  );
}

it('rowDurations(trace, row, name) has the quartiles, and a histogram without outliers, which are listed', async () => {
  // By hand: sorted 10 10 11 12 12 13 14 300; quartiles at 1.75, 3.5 and 5.25 of them.
  const durations = rowDurations(await kernels(12, 10, 300, 11, 10, 13, 12, 14), 'kernel', 'gemm');
  expect(durations).toMatchObject({
    ...{count: 8, leastNs: 10_000, lowerNs: 10_750, medianNs: 12_000, upperNs: 13_250, mostNs: 300_000},
    ...{binsToNs: 14_000, outliers: 1, outlierNs: 300_000, outlierAboveNs: 24_000},
    longest: [{startNs: 2_000_000, durationNs: 300_000}],
  });
  expect(durations?.bins.reduce((sum, count) => sum + count)).toBe(7);
  expect([durations?.bins.at(0), durations?.bins.at(-1)]).toEqual([2, 1]);
});

it('rowDurations(trace, row, name) has no outliers of durations that are all but equal', async () => {
  const durations = rowDurations(await kernels(10, 10, 10, 10, 10, 11, 10, 19), 'kernel', 'gemm');
  expect(durations).toMatchObject({outliers: 0, longest: []});
});

it('rowDurations(trace, row, name) is of one slice, too, and null of none', async () => {
  const trace = await kernels(10);
  expect(rowDurations(trace, 'kernel', 'gemm')).toMatchObject({count: 1, medianNs: 10_000, bins: [1], outliers: 0});
  expect(rowDurations(trace, 'kernel', 'other')).toBeNull();
  expect(rowDurations(trace, 'kernel', 'gemm', {device: 7})).toBeNull();
});

itEachFile(dataFiles('kineto', '.json.gz'))('rowDurations counts every kernel of $name once', async ({path}) => {
  const trace = await openTrace(path);
  const {slices, strings, gpuOperations} = trace;
  const byName = new Map<string, number[]>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation] ?? -1;
    const name = strings.get(slices.name[slice] ?? -1);
    byName.set(name, [...(byName.get(name) ?? []), slices.durationNs[slice] ?? NaN]);
  }
  for (const [name, ns] of [...byName].slice(0, 20)) {
    const found = rowDurations(trace, 'kernel', name);
    if (!found) continue;
    const sorted = ns.sort((a, b) => a - b);
    expect([found.count, found.leastNs, found.mostNs]).toEqual([sorted.length, sorted[0], sorted.at(-1)]);
    expect(found.bins.reduce((sum, count) => sum + count, found.outliers)).toBe(sorted.length);
    const above = sorted.filter(one => one > found.outlierAboveNs);
    expect([found.outliers, found.outlierNs]).toEqual([above.length, above.reduce((sum, one) => sum + one, 0)]);
  }
});
