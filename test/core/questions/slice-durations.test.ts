import {expect, it} from 'vitest';
import {sliceContext} from '../../../src/core/questions/slice-context.js';
import {sliceDurations} from '../../../src/core/questions/slice-durations.js';
import {kineto} from '../../support/kineto-events.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

/** Kernels of one name, one after another, each with its µs, and a call that is no kernel. */
async function kernels(...us: number[]) {
  return traceOfEvents(us.map((dur, at) => kineto.kernel(at + 1, 1000 * (at + 1), dur)));
}

it('sliceDurations(trace, slice) has the spread of those like it, and its own place among them', async () => {
  const trace = await kernels(12, 10, 300, 11, 10, 13, 12, 14);
  const rows = [...Array(trace.slices.length).keys()];
  const of = (ns: number) => sliceDurations(trace, rows.find(row => trace.slices.durationNs[row] === ns) ?? -1);
  // By hand: 10 10 11 12 12 13 14 300.
  expect(of(12_000)).toMatchObject({ownNs: 12_000, shorter: 3, longer: 3});
  expect(of(10_000)).toMatchObject({shorter: 0, longer: 6});
  expect(of(300_000)).toMatchObject({shorter: 7, longer: 0, spread: {count: 8, medianNs: 12_000, outliers: 1}});
  const {count, totalNs} = sliceContext(trace, 0)?.sameName ?? {count: 0, totalNs: 0};
  expect({count, totalNs}).toEqual({count: 8, totalNs: 382_000});
});

it('sliceDurations(trace, slice) leaves out what is called otherwise, and is null of no row', async () => {
  const trace = await traceOfEvents([
    kineto.kernel(1, 1000, 10),
    {...kineto.kernel(2, 2000, 20), name: 'relu'},
    kineto.kernel(3, 3000, 30),
  ]);
  expect(sliceDurations(trace, 0)).toMatchObject({ownNs: 10_000, shorter: 0, longer: 1, spread: {count: 2}});
  for (const slice of [-1, 0.5, 3]) expect(sliceDurations(trace, slice)).toBeNull();
});
