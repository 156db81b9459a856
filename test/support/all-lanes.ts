import type {LaneRange} from '../../src/core/layout/visible-slices.js';

/** Returns every lane of some tracks. */
export function allLanes(tracks: Iterable<number>): LaneRange[] {
  return Array.from(tracks, track => ({track, firstLane: 0, endLane: 65_536}));
}
