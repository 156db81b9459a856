import {pushAll} from '../../table/extremes.js';
import {lowerBound} from '../../table/search.js';
import {unionOfSets, type IntervalSet} from '../../trace/interval-sets.js';
import type {Trace} from '../../trace/trace.js';
import type {TraceReplay} from '../replay/trace-replay.js';

/**
 * Returns the GPU operations whose launching call begins inside one of some slices, on the slice's thread; ascending.
 */
export function launchedIn(trace: Trace, {calls}: TraceReplay, rows: readonly number[]): number[] {
  const inside = coverOf(trace, rows);
  const found: number[] = [];
  for (const {track, startNs, operations} of calls) {
    const times = inside.get(track);
    if (times && isInside(times, startNs)) pushAll(found, operations);
  }
  return found.sort((a, b) => a - b);
}

/** Track → the times covered by some slices. */
export function coverOf({slices}: Trace, rows: readonly number[]): ReadonlyMap<number, IntervalSet> {
  const tracks = new Set(rows.map(row => slices.track[row]));
  return new Map(
    [...tracks].map(track => {
      const own = rows.filter(row => slices.track[row] === track);
      const startNs = Float64Array.from(own, row => slices.startNs[row]);
      const durationNs = Float64Array.from(own, row => slices.durationNs[row]);
      return [track, unionOfSets([{length: own.length, startNs, durationNs}])];
    }),
  );
}

/** Returns whether a time is in one of ascending intervals, including their ends. */
export function isInside({startNs, durationNs}: IntervalSet, ns: number): boolean {
  const after = lowerBound(startNs, ns + 1);
  return after > 0 && ns <= startNs[after - 1] + durationNs[after - 1];
}
