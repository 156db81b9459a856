import {beforeAll, describe, expect, it} from 'vitest';
import {GroupChains} from '../../src/core/attribution/group-chains.js';
import {attributionNotes} from '../../src/core/attribution/attribution-notes.js';
import {foldedStacks, speedscopeFile} from '../../src/core/flame/flame-export.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {rangeTree} from '../../src/core/questions/range-tree.js';
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import {rangeRows} from '../../src/core/figures/range-rows.js';
import {columnHeader} from '../../src/core/reports/report.js';
import {TraceBuilder} from '../../src/core/trace/trace-builder.js';
import type {SliceKind} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {formatRows} from '../../src/cli/report.js';
import {reportOfTrace} from '../support/make-report.js';
import {comparedWithUsualWork} from '../support/usual-work.js';

const thread = {kind: 'thread', process: 0, device: -1, id: '1', name: 'main', order: 0} as const;
const facts = {
  meta: {format: 'kineto', profiler: 'hand', version: null, rank: null, worldSize: null, groupSize: null},
  baseNs: 0n,
  counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
  notes: [],
} as const;

/** Ranges of different names: each inside the one before it, or one behind the other. */
function traceOf(
  count: number,
  isNested: boolean,
  nameOf = (i: number) => `r${String(i)}`,
  kind: SliceKind = 'user_annotation',
): Trace {
  const builder = new TraceBuilder();
  builder.process('1');
  const track = builder.track(thread);
  for (let i = 0; i < count; i++) {
    const name = builder.strings.intern(nameOf(i));
    builder.addSlice({track, startNs: i, durationNs: isNested ? 2 * (count - i) : 1, name, kind, source: i});
  }
  return builder.finish(facts);
}

describe('ranges that nest 20,000 deep', () => {
  let trace: Trace;
  let nvtx: Trace;
  beforeAll(() => {
    trace = traceOf(20_000, true);
    nvtx = traceOf(20_000, true, undefined, 'nvtx_pushpop');
  });

  it.each(['name', 'path', 'instance'] as const)('have short paths in rows by %s', by => {
    const rows = rangeRows(trace, by);
    expect(rows.length).toBe(20_003);
    expect(rows[0]?.path).toBe('r0');
    expect(rows[63]?.path?.startsWith('r0/r1/')).toBe(true);
    expect(rows[19_999]?.path).toMatch(/^…(\/r\d+){63}\/r19999$/);
    expect(rows.reduce((most, {path}) => Math.max(most, path?.length ?? 0), 0)).toBeLessThan(2010);
  });

  it('are told of in a note', () => {
    expect(attributionNotes(trace, attributionOf(trace))).toContainEqual({
      code: 'ranges/deep',
      text: 'Ranges nest 20,000 deep: call paths show the innermost 64 names.',
    });
    const usual = traceOf(64, true);
    expect(attributionNotes(usual, attributionOf(usual))).toEqual([]);
  });

  it('make a tree and flame graphs in time that grows with their number', () => {
    expect(rangeTree(trace).nodes.length).toBeGreaterThanOrEqual(2000);
    const flame = flameGraph(trace, {weight: 'cpu', mode: 'merged', selection: {}});
    const letters = foldedStacks(flame).length + speedscopeFile(flame, 'deep').length;
    expect(letters).toBeLessThan(150e6);
  });

  it('have short stacks in nvtx_pushpop_trace', () => {
    const {columns, rows} = reportOfTrace(nvtx, 'nvtx_pushpop_trace');
    const cells = rows.cells(19_999);
    const at = (header: string) => String(cells[columns.findIndex(column => columnHeader(column) === header)]);
    expect(at('RangeStack')).toMatch(/^:…(:\d+){64}$/);
    expect(at('NameTree')).toBe(`${'--'.repeat(64)}r19999`);
  });
});

it('long names make no long paths', () => {
  const trace = traceOf(200, true, i => `${String(i)}${'x'.repeat(10_000)}`);
  for (const {path, name} of rangeRows(trace, 'path')) expect(path?.length ?? 0).toBeLessThanOrEqual(name.length + 2);
});

it.each(['table', 'csv', 'markdown', 'json'] as const)('150,000 names of ranges are written as %s', format => {
  const rows = rangeRows(traceOf(150_000, false), 'name');
  const columns = [{key: 'name', title: 'Range', value: ({name}: {name: string}) => name}];
  expect(formatRows(rows, columns, format).split('\n').length).toBeGreaterThan(150_000);
});

it('chains of ranges that nest 300,000 deep are found in one pass', async () => {
  const length = 300_000;
  // Each range is inside the one before it; every third is of the group of the first.
  const parent = Int32Array.from({length}, (_, node) => node - 1);
  const groupOf = Int32Array.from({length}, (_, range) => (range % 3 === 0 ? 0 : range));
  const chains = new GroupChains();
  const stacks = {length, parent, range: Int32Array.from(groupOf.keys())};
  const {result: chainOf, times} = await comparedWithUsualWork(() => chains.ofStacks(stacks, groupOf));
  // Looking outwards for each took minutes.
  expect(times).toBeLessThan(20);
  expect(chains.length).toBe(200_001);
  expect([chainOf[0], chainOf[1], chainOf[3]]).toEqual([0, 1, chainOf[2]]);
});
