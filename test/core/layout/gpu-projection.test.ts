import {expect, it} from 'vitest';
import {gpuProjection} from '../../../src/core/layout/gpu-projection.js';
import {mostBlocks, visibleSchema, visibleSlices} from '../../../src/core/layout/visible-slices.js';
import {tableBytes} from '../../../src/core/table/table.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {allLanes} from '../../support/all-lanes.js';
import {plainFacts} from '../../support/plain-facts.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  range outer     =======
  range inner      ==
  call             A   B
  stream 7           AAA  BB
`);

it('gpuProjection(trace) stretches each range from the first start to the last end of its operations', () => {
  const projection = gpuProjection(trace);
  const rows = Array.from(projection?.rangeOf ?? [], (slice, row) => [
    trace.strings.get(trace.slices.name[slice] ?? 0),
    projection?.slices.startNs[row],
    projection?.slices.durationNs[row],
    projection?.index.laneOf[row],
  ]);
  expect(rows).toEqual([
    ['outer', 3000, 7000, 0],
    ['inner', 3000, 3000, 1],
  ]);
  expect(projection?.tracks).toMatchObject([{device: 0}]);
  expect(projection?.index.sections).toMatchObject([[{laneCount: 2}]]);
});

it('visibleSlices(trace, window) draws the projection behind the trace’s tracks, each block with its range', () => {
  const {blocks, names} = visibleSlices(trace, {
    fromNs: 0,
    toNs: 10_000,
    widthPx: 10,
    lanes: allLanes([trace.tracks.length, trace.tracks.length + 1]),
  });
  expect(Array.from(blocks.name, name => names[name])).toEqual(['outer', 'inner']);
  expect(Array.from(blocks.slice)).toEqual(Array.from(gpuProjection(trace)?.rangeOf ?? []));
});

it('gpuProjection(trace) is null where nothing ran on a GPU', () => {
  expect(gpuProjection(traceFromText('range outer     ====='))).toBeNull();
});

it('visibleSlices(trace, window) merges more where there would be too many blocks, and loses none', () => {
  const builder = new TraceBuilder();
  for (let lane = 0; lane < 40; lane++) {
    const id = String(lane);
    const track = builder.track({kind: 'thread', process: -1, device: -1, id, name: id, order: lane});
    for (let i = 0; i < 1000; i++) {
      builder.addSlice({
        track,
        startNs: i * 10,
        durationNs: 8,
        name: builder.strings.intern(`a long name ${String(lane * 1000 + i)}`),
        kind: 'cpu_op',
        source: i,
      });
    }
  }
  const dense = builder.finish(plainFacts);
  const {blocks, names} = visibleSlices(dense, {
    fromNs: 0,
    toNs: 10_000,
    widthPx: 2000,
    lanes: allLanes(dense.tracks.keys()),
  });
  expect(blocks.length).toBeLessThanOrEqual(mostBlocks);
  expect(blocks.count.reduce((sum, count) => sum + count, 0)).toBe(40_000);
  const bytes = tableBytes(visibleSchema, blocks.length);
  expect(bytes + names.join('').length).toBeLessThan(200_000);
});
