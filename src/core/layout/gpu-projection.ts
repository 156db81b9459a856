import {projectRanges} from '../attribution/project-ranges.js';
import {attributionOf} from '../scope/attribution-of.js';
import {firstOperationFrom} from '../figures/operation-of-slice.js';
import {allocateColumns} from '../table/table.js';
import {arrayBytes, derived, derivedKey} from '../trace/derived.js';
import {sliceSchema} from '../trace/slices.js';
import type {Trace, Track} from '../trace/trace.js';
import {buildLaneIndex, type DrawnSlices, type LaneIndex} from './lane-index.js';

/** Ranges as executed by the GPU: from the first start to the last end of the operations launched inside. */
export interface GpuProjection extends DrawnSlices {
  /** Row → row of the range in the trace's slices. */
  readonly rangeOf: Int32Array;
  readonly index: LaneIndex;
}

const gpuProjectionKey = derivedKey<GpuProjection | null>('gpu projection');

/**
 * Returns the projection of a trace's ranges onto its GPUs, one track per device; null if the profiler recorded one
 * (`gpu_user_annotation`), or if no range has GPU work.
 *
 * A range whose operations ran on several devices is on the first of them that worked for it.
 *
 * @see docs/metrics.md#gpu-span
 */
export function gpuProjection(trace: Trace): GpuProjection | null {
  return derived(
    trace,
    gpuProjectionKey,
    () => project(trace),
    projection =>
      projection ? arrayBytes({...projection.slices, rangeOf: projection.rangeOf}) + projection.index.bytes : 0,
  );
}

function project(trace: Trace): GpuProjection | null {
  if (trace.tracks.some(({kind}) => kind === 'gpu-ranges') || trace.gpuOperations.length === 0) return null;
  const attribution = attributionOf(trace);
  const {ranges} = attribution;
  const {fromNs, toNs} = projectRanges(trace, attribution);
  const deviceOf = devicesByStart(trace);
  const rows: {range: number; device: number}[] = [];
  for (let range = 0; range < ranges.slice.length; range++) {
    if (toNs[range] >= fromNs[range]) rows.push({range, device: deviceOf(fromNs[range])});
  }
  if (rows.length === 0) return null;
  const lengthNs = (range: number) => toNs[range] - fromNs[range];
  rows.sort(
    (a, b) =>
      a.device - b.device ||
      fromNs[a.range] - fromNs[b.range] ||
      lengthNs(b.range) - lengthNs(a.range) ||
      a.range - b.range,
  );
  const slices = {length: rows.length, ...allocateColumns(sliceSchema, rows.length)};
  const rangeOf = new Int32Array(rows.length);
  rows.forEach(({range}, row) => {
    rangeOf[row] = ranges.slice[range];
    slices.startNs[row] = fromNs[range];
    slices.durationNs[row] = lengthNs(range);
    slices.name[row] = trace.slices.name[rangeOf[row]];
    slices.kind[row] = trace.slices.kind[rangeOf[row]];
  });
  const tracks: Track[] = [];
  for (let first = 0; first < rows.length;) {
    const {device} = rows[first];
    let end = first;
    while (end < rows.length && rows[end].device === device) slices.track[end++] = tracks.length;
    const ownership = {process: -1, thread: -1, device};
    tracks.push({kind: 'gpu-ranges', name: 'Ranges', ...ownership, firstSlice: first, endSlice: end});
    first = end;
  }
  return {slices, tracks, rangeOf, index: buildLaneIndex({slices, tracks})};
}

/** Returns a function that gives the device of the first operation that starts at a time. */
function devicesByStart(trace: Trace): (atNs: number) => number {
  return atNs => trace.gpuOperations.device[firstOperationFrom(trace, atNs)];
}
