import type {LaneRange} from '../../src/core/layout/visible-slices.js';

/** Every lane of some tracks, by their numbers. */
export function allLanes(tracks: Iterable<number>): LaneRange[] {
  return Array.from(tracks, track => ({track, firstLane: 0, endLane: 65_536}));
}
