import {expect, it} from 'vitest';
import {findSites} from '../../../src/core/attribution/launch-sites.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {seededRandom} from '../../support/random.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

interface Row {
  readonly startNs: number;
  readonly externalId: number;
}

/** Operators on threads that take turns, and operations without a launching call. */
function traceOf(operators: readonly Row[], operations: readonly Row[], threadCount: number): Trace {
  const builder = new TraceBuilder();
  const threads = Array.from({length: threadCount}, (_, id) =>
    builder.track({kind: 'thread', process: -1, device: -1, id: String(id), name: 'thread', order: 10}),
  );
  const stream = builder.track({kind: 'stream', process: -1, device: 0, id: '7', name: 'stream', order: 1});
  operators.forEach(({startNs, externalId}, at) => {
    const slice = builder.addSlice({
      track: threads[at % threadCount] ?? 0,
      startNs,
      durationNs: 1,
      name: 0,
      kind: 'cpu_op',
      source: at,
    });
    builder.addOperator(slice, externalId, -1, 0);
  });
  for (const {startNs, externalId} of operations) {
    builder.addGpuOperation(
      builder.addSlice({track: stream, startNs, durationNs: 1, name: 0, kind: 'kernel', source: 0}),
      {process: 0, device: 0, stream: 7, externalId},
    );
  }
  return builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
}

it('findSites(trace) takes the last operator of an external id that starts no later, for operations without a call', () => {
  const random = seededRandom(3);
  const rows = (count: number) =>
    Array.from({length: count}, () => ({
      startNs: Math.floor(random() * 100),
      externalId: Math.floor(random() * 5),
    }));
  const trace = traceOf(rows(200), rows(100), 3);
  const {operators, gpuOperations, slices} = trace;
  const startOf = (slice: number | undefined) => slices.startNs[slice ?? -1] ?? NaN;
  const {siteOf, slice} = findSites(trace);
  const expected = Array.from(gpuOperations.slice, (operation, at) =>
    Array.from(operators.slice).findLast(
      (operator, row) =>
        operators.externalId[row] === gpuOperations.externalId[at] && startOf(operator) <= startOf(operation),
    ),
  );
  expect(Array.from(siteOf, site => slice[site])).toEqual(expected);
  expect(expected.filter(operator => operator === undefined).length).toBeLessThan(20);
});

it('findSites(trace) takes linear time where all operators have one external id and start too late', async () => {
  const at = (startNs: number) => Array.from({length: 60_000}, (_, i) => ({startNs: startNs + i, externalId: 5}));
  const trace = traceOf(at(1e6), at(0), 1);
  const {result, times} = await comparedWithUsualWork(() => findSites(trace));
  expect(result.slice).toHaveLength(0);
  // It takes a tenth of usual work; a look at each operator for each operation, at least 25 times as long.
  expect(times).toBeLessThan(5);
});
