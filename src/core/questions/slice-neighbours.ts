import {laneCountOf} from '../layout/lane-sections.js';
import {laneIndex} from '../layout/lane-index.js';
import {trackSource} from '../layout/track-source.js';
import type {Trace} from '../trace/trace.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/**
 * Returns the slice before (-1) or after (1) another on its lane; null at the lane's ends, and for a row that does not
 * exist.
 */
export function sliceNeighbour(trace: Trace, slice: number, direction: -1 | 1): SliceDetails | null {
  const own = sliceDetails(trace, slice);
  if (!own) return null;
  const index = laneIndex(trace);
  const {first, end} = index.lane(own.track, own.lane);
  let at = index.firstEndingAfter(first, end, own.startNs);
  while (at < end && index.order[at] !== slice) at++;
  const next = at + direction;
  return at < end && next >= first && next < end ? sliceDetails(trace, index.order[next]) : null;
}

/** A lane of a track, and a time, ns from the trace's origin. */
export interface LanePlace {
  /** As in `LaneRange`: tracks of the GPU projection are numbered after those of the trace. */
  readonly track: number;
  readonly lane: number;
  readonly atNs: number;
}

/**
 * Returns the first slice of a lane that starts at or after a time (1), or the last that ends by then (-1). If there is
 * none on that side, returns the slice at the lane's end. Null for a lane without slices.
 */
export function sliceOnLane(trace: Trace, {track, lane, atNs}: LanePlace, direction: -1 | 1): SliceDetails | null {
  const source = trackSource(trace, track);
  if (!source || !Number.isInteger(lane) || lane < 0) return null;
  const {index, own, slices, sliceOf} = source;
  if (lane >= laneCountOf(index.sections[own])) return null;
  const {first, end} = index.lane(own, lane);
  if (first === end) return null;
  let at = index.firstEndingAfter(first, end, atNs);
  if (direction < 0) at--;
  else while (at < end && slices.startNs[index.order[at]] < atNs) at++;
  const row = index.order[Math.min(end - 1, Math.max(first, at))];
  return sliceDetails(trace, sliceOf === null ? row : sliceOf[row]);
}
