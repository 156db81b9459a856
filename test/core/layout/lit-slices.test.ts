import {expect, it} from 'vitest';
import {litSlices} from '../../../src/core/layout/lit-slices.js';
import {visibleSlices} from '../../../src/core/layout/visible-slices.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {selectOperations} from '../../../src/core/scope/selection.js';
import {taggedRangeKinds, sliceKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import {traceBytes} from '../../../src/core/trace/derived.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range outer     ================
  range inner       ====    ====
  op aten::mm        ==
  call               A  B
  stream 7            AAA BB
`);

const namesOf = (of: Trace, lit: Uint8Array) =>
  [...lit.keys()].filter(row => lit[row] === 1).map(row => of.strings.get(of.slices.name[row] ?? 0));

it('litSlices(trace, names) are the ranges, what lies inside them, and their GPU work with its calls', () => {
  expect(namesOf(trace, litSlices(trace, ['inner']).of).sort()).toEqual([
    'aten::mm',
    'cudaLaunchKernel',
    'inner',
    'inner',
    'kernel_A',
  ]);
  expect(litSlices(trace, ['outer']).of.every(lit => lit === 1)).toBe(true);
  expect(namesOf(trace, litSlices(trace, []).of)).toEqual([]);
});

it('litSlices(trace, names) of a name that no range has are the slices that are called so', () => {
  expect(namesOf(trace, litSlices(trace, ['kernel_B']).of)).toEqual(['kernel_B']);
  expect(namesOf(trace, litSlices(trace, ['nothing']).of)).toEqual([]);
});

it('litSlices(trace, names) is what lies inside any range of the name, however deep they nest', () => {
  const depth = 50_000;
  const builder = new TraceBuilder();
  const track = builder.track({kind: 'thread', process: builder.process('1'), device: -1, id: '1', name: '', order: 0});
  const add = (name: string, fromNs: number, toNs: number, kind: SliceKind) =>
    builder.addSlice({
      track,
      startNs: fromNs,
      durationNs: toNs - fromNs,
      name: builder.strings.intern(name),
      kind,
      source: -1,
    });
  for (let at = 0; at < depth; at++) add('again', at, 3 * depth - at, 'user_annotation');
  add('inside', depth + 1, depth + 2, 'cpu_op');
  add('in the outermost', 3 * depth - 2, 3 * depth - 1, 'cpu_op');
  add('over the end', 3 * depth - 1, 3 * depth + 1, 'cpu_op');
  add('behind', 3 * depth, 3 * depth, 'cpu_op');
  const deep = builder.finish({...trace, baseNs: 0n});
  const names = namesOf(deep, litSlices(deep, ['again']).of);
  expect(names.filter(name => name !== 'again')).toEqual(['inside', 'in the outermost']);
  expect(names.length).toBe(depth + 2);
});

it('litSlices(trace, names) keeps the last two of a trace, which count as its memory', () => {
  const own = traceFromText('range outer   ====');
  const before = traceBytes(own);
  const [outer, nothing] = [litSlices(own, ['outer']), litSlices(own, ['nothing'])];
  expect(litSlices(own, ['outer'])).toBe(outer);
  expect(litSlices(own, ['nothing'])).toBe(nothing);
  litSlices(own, []);
  expect(litSlices(own, ['nothing'])).toBe(nothing);
  expect(litSlices(own, ['outer'])).not.toBe(outer);
  expect(traceBytes(own) - before).toBeGreaterThanOrEqual(2 * own.slices.length * 5);
});

it('visibleSlices(trace, {lit}) tells of a merged block whether one of its slices is', () => {
  const lanes = trace.tracks.map((_, track) => ({track, firstLane: 0, endLane: 9}));
  const litOf = (widthPx: number) => {
    const {blocks, lit} = visibleSlices(trace, {fromNs: 0, toNs: 1e5, widthPx, lanes, lit: ['inner']});
    const stream = trace.tracks.findIndex(({kind}) => kind === 'stream');
    return [...blocks.track.keys()].filter(at => blocks.track[at] === stream).map(at => [blocks.count[at], lit?.[at]]);
  };
  expect(litOf(1000)).toEqual([
    [1, 1],
    [1, 0],
  ]);
  expect(litOf(2)).toEqual([[2, 1]]);
  expect(visibleSlices(trace, {fromNs: 0, toNs: 1e5, widthPx: 9, lanes}).lit).toBeNull();
});

itEachFile([...dataFiles('kineto', 'ns-resolution-rank0.json.gz'), ...dataFiles('nsys', 'train-2xh100-2proc.sqlite')])(
  'litSlices(trace, [name]) has the operations that figures of the range count: $name',
  async ({path}) => {
    const real = await openTrace(path);
    const isTagged = (kind: number) => taggedRangeKinds.has(sliceKinds[kind] ?? 'other');
    const names = new Set<string>();
    for (let row = 0; row < real.slices.length && names.size < 5; row++) {
      if (isTagged(real.slices.kind[row] ?? 0)) names.add(real.strings.get(real.slices.name[row] ?? 0));
    }
    expect(names.size).toBeGreaterThan(0);
    for (const name of names) {
      const {of} = litSlices(real, [name]);
      const wanted = selectOperations(real, attributionOf(real), {range: name});
      const found = Array.from(real.gpuOperations.slice, slice => of[slice]);
      expect(found).toEqual([...(wanted ?? [])]);
    }
  },
);
