import {expect, it} from 'vitest';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../../src/core/trace/slices.js';
import {rowsBySource} from '../../../src/importers/nsys/rows-by-source.js';
import {plainFacts} from '../../support/plain-facts.js';

const kindSets = [new Set<SliceKind>(['kernel']), new Set<SliceKind>(['gpu_memcpy', 'gpu_memset'])] as const;

it.each([
  {sort: 'one after the other', ids: [1, 2, 3, 4]},
  {sort: 'with gaps', ids: [5, 900, 17, 8191]},
  {sort: 'far beyond their number', ids: [2 ** 40, 3, 2 ** 52, 8192]},
  {sort: 'below 0', ids: [-5, 3, -(2 ** 40), 0]},
])('finds rows again by row ids $sort, each in its own table', ({ids}) => {
  const kinds: SliceKind[] = ['kernel', 'gpu_memcpy', 'cuda_runtime', 'kernel'];
  const {trace, sliceOf} = traceOf(kinds.map((kind, at) => [kind, ids[at] ?? 0]));
  const [kernels, copies] = rowsBySource(trace, sliceOf, kindSets);
  expect(ids.map(id => kernels?.(id))).toEqual([0, -1, -1, 3]);
  expect(ids.map(id => copies?.(id))).toEqual([-1, 1, -1, -1]);
  expect([kernels?.(77_777), kernels?.(-1)]).toEqual([-1, -1]);
});

it('has no look-up for a table that no row came from', () => {
  const {trace, sliceOf} = traceOf([['kernel', 4]]);
  const [kernels, copies] = rowsBySource(trace, sliceOf, kindSets);
  expect(kernels?.(4)).toBe(0);
  expect(copies).toBeNull();
});

/** A trace of slices one after the other, and the slice of each. */
function traceOf(slices: readonly (readonly [kind: SliceKind, source: number])[]) {
  const builder = new TraceBuilder();
  const track = builder.track({kind: 'thread', process: -1, device: -1, id: '1', name: 'thread 1', order: 0});
  slices.forEach(([kind, source], at) =>
    builder.addSlice({track, startNs: 10 * at, durationNs: 5, name: builder.strings.intern('name'), kind, source}),
  );
  return {trace: builder.finish(plainFacts), sliceOf: Int32Array.from(slices.keys())};
}
