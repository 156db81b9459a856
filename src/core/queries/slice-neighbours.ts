import {laneIndex} from '../layout/lane-index.js';
import type {Trace} from '../trace/trace.js';
import {sliceDetails, type SliceDetails} from './slice-details.js';

/** The slice before (-1) or after (1) another on its lane; null at the lane's ends, and for a row that does not exist. */
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
