import {expect, it} from 'vitest';
import {enclosing} from '../../../src/core/attribution/enclosing.js';
import {groupByName} from '../../../src/core/attribution/range-groups.js';
import {rangeRows, rangeGroupings, attributionOf} from '../../../src/core/queries/ranges.js';
import {gpuSummary} from '../../../src/core/queries/info.js';
import {rangeTotals} from '../../../src/core/attribution/range-totals.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';

/** A trace with ranges, calls and operations anywhere: nested, overlapping, equal, linked or not. */
function randomTrace(seed: number): Trace {
  const random = seededRandom(seed);
  const whole = (limit: number) => Math.floor(random() * limit);
  const builder = new TraceBuilder();
  const process = builder.process('1');
  const threads = ['a', 'b'].map(id => builder.track({kind: 'thread', process, device: -1, id, name: id, order: 10}));
  const overlay = builder.track({kind: 'process-ranges', process, device: -1, id: 'r', name: 'r', order: 5});
  for (let i = 0; i < 40; i++) {
    const name = builder.strings.intern(`range_${String(whole(6))}`);
    const isOverlay = random() < 0.15;
    const track = isOverlay ? overlay : (threads[whole(2)] ?? 0);
    builder.addSlice(track, whole(500), whole(200), name, isOverlay ? 'nvtx_startend' : 'user_annotation', i);
  }
  for (let i = 0; i < 60; i++) {
    const name = builder.strings.intern('cudaLaunchKernel');
    const call = builder.addSlice(threads[whole(2)] ?? 0, whole(600), whole(12), name, 'cuda_runtime', i);
    builder.addApiCall(call, process, whole(50));
  }
  for (let i = 0; i < 80; i++) {
    const device = whole(2);
    const stream = whole(3);
    const track = builder.track({
      kind: 'stream',
      process,
      device,
      id: `${String(device)} ${String(stream)}`,
      name: 'Stream',
      order: 1,
    });
    const slice = builder.addSlice(track, whole(900), whole(60), builder.strings.intern('kernel'), 'kernel', i);
    builder.addGpuOperation(slice, process, device, stream, random() < 0.1 ? -1 : whole(60), -1, -1);
  }
  return builder.finish({
    meta: {format: 'nsys', profiler: 'test', version: null, rank: null, worldSize: null},
    baseNs: 0n,
    counts: {kernels: 80, memcpys: 0, memsets: 0, apiCalls: 60, cpuOps: 0, ranges: 40, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

const seeds = Array.from({length: 60}, (_, seed) => seed);

it.each(seeds)('the account closes, by name, path and instance (seed %i)', seed => {
  const trace = randomTrace(seed);
  for (const by of rangeGroupings) {
    const sum = rangeRows(trace, by).reduce((total, row) => total + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
    expect(sum).toBe(gpuSummary(trace).workNs);
  }
});

it.each(seeds)('self ≤ work, busy ≤ work and, per instance and device, busy ≤ span (seed %i)', seed => {
  const trace = randomTrace(seed);
  for (const row of rangeRows(trace, 'instance')) {
    expect(row.gpuSelfNs).toBeLessThanOrEqual(row.gpuWorkNs);
    expect(row.gpuBusyNs).toBeLessThanOrEqual(row.gpuWorkNs);
    if (row.count > 0) expect(row.gpuBusyNs).toBeLessThanOrEqual(2 * row.gpuSpanNs);
    expect(row.launches).toBeLessThanOrEqual(row.ops);
  }
});

it.each(seeds)('enclosing(slices, scopes) finds what a comparison of all pairs finds (seed %i)', seed => {
  const trace = randomTrace(seed);
  const {slices, tracks} = trace;
  const isRange = (row: number) => trace.strings.get(slices.name[row] ?? 0).startsWith('range_');
  for (const {firstSlice, endSlice, kind} of tracks) {
    if (kind !== 'thread') continue;
    const rows = Array.from({length: endSlice - firstSlice}, (_, i) => firstSlice + i);
    const containers = Int32Array.from(rows.filter(isRange));
    const sites = Int32Array.from(rows.filter(row => !isRange(row)));
    const found = enclosing(slices, [{containers, sites}]);
    sites.forEach((site, index) => {
      const expected = [...containers].filter(
        row =>
          at(slices.startNs, row) <= at(slices.startNs, site) &&
          at(slices.startNs, row) + at(slices.durationNs, row) >=
            at(slices.startNs, site) + at(slices.durationNs, site),
      );
      expect([...found.containers.subarray(found.offsets[index], found.offsets[index + 1])]).toEqual(expected);
    });
  }
});

it.each(seeds)('gpuBusyNs is the union that marking every nanosecond gives (seed %i)', seed => {
  const trace = randomTrace(seed);
  const attribution = attributionOf(trace);
  const groups = groupByName(trace, attribution.ranges);
  const totals = rangeTotals(trace, attribution, groups);
  const {gpuOperations, slices} = trace;
  for (let group = 0; group < groups.length; group++) {
    const marked = new Set<string>();
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      const site = at(attribution.siteOf, operation);
      if (site < 0) continue;
      const ranges = [attribution.own, attribution.overlay].flatMap(({offsets, containers}) => [
        ...containers.subarray(at(offsets, site), at(offsets, site + 1)),
      ]);
      if (!ranges.some(range => groups.groupOf[range] === group)) continue;
      const slice = at(gpuOperations.slice, operation);
      const startNs = at(slices.startNs, slice);
      for (let ns = startNs; ns < startNs + at(slices.durationNs, slice); ns++) {
        marked.add(`${String(gpuOperations.device[operation])} ${String(ns)}`);
      }
    }
    expect(totals.gpuBusyNs[group]).toBe(marked.size);
  }
});

function at(column: Int32Array | Float64Array, row: number): number {
  return column[row] ?? NaN;
}
