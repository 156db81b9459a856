import {upperBound} from '../table/search.js';
import {sortByStart} from '../table/sort.js';
import type {Intervals} from './intervals.js';

/** Intervals that do not overlap, sorted by start. */
export interface IntervalSet extends Intervals {
  /** The sum of their durations. */
  readonly totalNs: number;
}

/** Returns the union of intervals sorted by start; intervals that touch are merged, empty ones are dropped. */
export function unionOf({length, startNs, durationNs}: Intervals): IntervalSet {
  const starts = new Float64Array(length);
  const durations = new Float64Array(length);
  let count = 0;
  let totalNs = 0;
  for (let i = 0; i < length; i++) {
    const endNs = startNs[i] + durationNs[i];
    if (durationNs[i] <= 0) continue;
    const lastEndNs = count === 0 ? -Infinity : starts[count - 1] + durations[count - 1];
    if (startNs[i] > lastEndNs) {
      starts[count] = startNs[i];
      durations[count++] = durationNs[i];
      totalNs += durationNs[i];
    } else if (endNs > lastEndNs) {
      durations[count - 1] = endNs - starts[count - 1];
      totalNs += endNs - lastEndNs;
    }
  }
  return {length: count, startNs: starts.subarray(0, count), durationNs: durations.subarray(0, count), totalNs};
}

/** Returns the nanoseconds in which an interval of both sets runs. */
export function overlapNs(a: IntervalSet, b: IntervalSet): number {
  let total = 0;
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    const aEndNs = a.startNs[i] + a.durationNs[i];
    const bEndNs = b.startNs[j] + b.durationNs[j];
    total += Math.max(0, Math.min(aEndNs, bEndNs) - Math.max(a.startNs[i], b.startNs[j]));
    if (aEndNs < bEndNs) i++;
    else j++;
  }
  return total;
}

/** Returns the union of intervals of several lists, in any order. */
export function unionOfSets(sets: readonly Intervals[]): IntervalSet {
  const length = sets.reduce((sum, set) => sum + set.length, 0);
  const all = {length, startNs: new Float64Array(length), durationNs: new Float64Array(length)};
  let offset = 0;
  for (const set of sets) {
    all.startNs.set(set.startNs, offset);
    all.durationNs.set(set.durationNs, offset);
    offset += set.length;
  }
  const order = Uint32Array.from({length}, (_, at) => at);
  sortByStart(order, all.startNs);
  return unionOf({
    length,
    startNs: Float64Array.from(order, at => all.startNs[at]),
    durationNs: Float64Array.from(order, at => all.durationNs[at]),
  });
}

/** Returns the nanoseconds of `[fromNs, toNs)` in which an interval runs. */
export function coveredNs({length, startNs, durationNs}: IntervalSet, fromNs: number, toNs: number): number {
  let total = 0;
  for (let i = Math.max(0, upperBound(startNs, fromNs) - 1); i < length && startNs[i] < toNs; i++) {
    total += Math.max(0, Math.min(startNs[i] + durationNs[i], toNs) - Math.max(startNs[i], fromNs));
  }
  return total;
}
