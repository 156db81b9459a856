import {describe, expect, it} from 'vitest';
import {visibleSlices, type VisibleWindow} from '../../../src/core/layout/visible-slices.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';
import {allLanes} from '../../support/all-lanes.js';
import {traceFromText} from '../../support/trace-from-text.js';

/** Blocks as `lane name left…right ×count`, in pixels of a window. */
function blocksOf(trace: Trace, fromNs: number, toNs: number, widthPx: number): string[] {
  const {blocks, names} = visibleSlices(trace, {fromNs, toNs, widthPx, lanes: allLanes([0])});
  return Array.from({length: blocks.length}, (_, i) => {
    const left = blocks.leftPx[i] ?? NaN;
    const name = names[blocks.name[i] ?? -1] ?? '*';
    return `${String(blocks.lane[i])} ${name} ${String(left)}…${String(left + (blocks.widthPx[i] ?? NaN))} ×${String(blocks.count[i])}`;
  });
}

const facts = {
  meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
  baseNs: 0n,
  counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
  notes: [],
} as const;

describe('visibleSlices(trace, window)', () => {
  const nested = traceFromText(`
    range a         ==========
    range b          ===  ==
    range c               ==
  `);

  it('gives the slices of the window, by lane', () => {
    expect(blocksOf(nested, 0, 10_000, 10)).toEqual(['0 a 0…10 ×1', '1 b 1…4 ×1', '1 b 6…8 ×1', '2 c 6…8 ×1']);
  });

  it('finds a long slice that began far to the left', () => {
    expect(blocksOf(nested, 8500, 9500, 100)).toEqual(['0 a -850…150 ×1']);
  });

  it('leaves out what ends at the window’s left edge or begins at its right', () => {
    expect(blocksOf(nested, 4000, 6000, 20)).toEqual(['0 a -40…60 ×1']);
  });

  it('merges slices that share a pixel, and says how many and how busy', () => {
    const builder = new TraceBuilder();
    const track = builder.track({kind: 'thread', process: -1, device: -1, id: '1', name: 't', order: 0});
    for (let i = 0; i < 1000; i++)
      builder.addSlice({
        track,
        startNs: i * 10,
        durationNs: 5,
        name: builder.strings.intern('tiny'),
        kind: 'cpu_op',
        source: i,
      });
    const trace = builder.finish(facts);
    const {blocks} = visibleSlices(trace, {fromNs: 0, toNs: 10_000, widthPx: 10, lanes: allLanes([0])});
    expect(blocks.length).toBe(10);
    expect(blocks.count.reduce((sum, count) => sum + count, 0)).toBe(1000);
    expect(blocks.busyFraction[0]).toBeCloseTo(0.5, 2);
  });

  it('keeps a wide slice apart from the narrow ones beside it', () => {
    const trace = traceFromText(`
      range wide      ========
      range thin              = = =
    `);
    expect(blocksOf(trace, 0, 100_000, 20)).toEqual([
      '0 wide 0…1.600000023841858 ×1',
      '0 thin 1.600000023841858…2.600000023841858 ×3',
    ]);
  });

  it('answers nothing for tracks that do not exist', () => {
    expect(visibleSlices(nested, {fromNs: 0, toNs: 1, widthPx: 1, lanes: allLanes([99, -1])}).blocks.length).toBe(0);
  });

  it('skips to the next pixel without missing a slice: counts and sums are those of a plain loop', () => {
    const random = seededRandom(11);
    const trace = randomLane(random);
    for (let round = 0; round < 200; round++) {
      const fromNs = Math.floor(random() * trace.spanNs);
      const toNs = fromNs + 1 + Math.floor(random() * (trace.spanNs - fromNs));
      expectPlainLoop(trace, {fromNs, toNs, widthPx: 50 + Math.floor(random() * 500), lanes: allLanes([0])});
    }
  });
});

/** One lane of slices of two names, some of them long, with gaps. */
function randomLane(random: () => number): Trace {
  const builder = new TraceBuilder();
  const track = builder.track({kind: 'thread', process: -1, device: -1, id: '1', name: 't', order: 0});
  const [often, rarely] = [builder.strings.intern('a'), builder.strings.intern('b')];
  let startNs = 0;
  for (let i = 0; i < 5000; i++) {
    const durationNs = 1 + Math.floor(random() * (random() < 0.01 ? 5000 : 20));
    builder.addSlice({track, startNs, durationNs, name: random() < 0.9 ? often : rarely, kind: 'cpu_op', source: i});
    startNs += durationNs + Math.floor(random() * (random() < 0.05 ? 2000 : 10));
  }
  return builder.finish(facts);
}

function expectPlainLoop(trace: Trace, window: VisibleWindow): void {
  const {fromNs, toNs, widthPx} = window;
  const {startNs, durationNs, name} = trace.slices;
  const pxPerNs = widthPx / (toNs - fromNs);
  const {blocks} = visibleSlices(trace, window);
  const rows = Array.from(startNs, (start, row) => ({start, end: start + (durationNs[row] ?? 0), name: name[row]}));
  const inside = rows.filter(({start, end}) => start < toNs && end > fromNs);
  // A block may reach past the window, by the slices that share its last pixel.
  const beyond = rows.filter(({start}) => start >= toNs && (start - toNs) * pxPerNs < 1);
  const counted = blocks.count.reduce((sum, count) => sum + count, 0);
  expect(counted).toBeGreaterThanOrEqual(inside.length);
  expect(counted).toBeLessThanOrEqual(inside.length + beyond.length);
  Array.from(blocks.slice, (first, block) => {
    const members = rows.slice(first, first + (blocks.count[block] ?? 0));
    expect((blocks.name[block] ?? 0) < 0).toBe(new Set(members.map(member => member.name)).size > 1);
    if (members.length === 1) return;
    const sumNs = members.reduce((sum, {start, end}) => sum + end - start, 0);
    expect(blocks.busyFraction[block]).toBeCloseTo(Math.min(1, (sumNs * pxPerNs) / (blocks.widthPx[block] ?? 0)), 3);
    expect(Math.max(...members.map(({start, end}) => end - start)) * pxPerNs).toBeLessThan(1);
  });
}
