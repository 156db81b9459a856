import type {Trace} from '../trace/trace.js';
import {gpuProjection} from './gpu-projection.js';
import {laneIndex, type DrawnSlices, type LaneIndex} from './lane-index.js';

/** The source of a track's slices: the trace, or its projection. */
export interface TrackSource extends DrawnSlices {
  readonly index: LaneIndex;
  /** Its index among the source's tracks. */
  readonly own: number;
  /** Row → row of the trace's slices; null if they are the same. */
  readonly sliceOf: Int32Array | null;
}

/**
 * Returns the source of a track. Tracks of the GPU projection are numbered after those of the trace. Null if there is
 * no such track.
 */
export function trackSource(trace: Trace, track: number): TrackSource | null {
  if (!Number.isInteger(track) || track < 0) return null;
  if (track < trace.tracks.length) return {...drawn(trace), index: laneIndex(trace), own: track, sliceOf: null};
  const projection = gpuProjection(trace);
  const own = track - trace.tracks.length;
  if (!projection || own >= projection.tracks.length) return null;
  return {...drawn(projection), index: projection.index, own, sliceOf: projection.rangeOf};
}

function drawn({slices, tracks}: DrawnSlices): DrawnSlices {
  return {slices, tracks};
}
