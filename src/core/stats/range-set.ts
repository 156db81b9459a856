import {rangeChoiceOf} from '../attribution/range-stack.js';
import {rowsOfRanges} from '../attribution/ranges.js';
import {TraceError} from '../errors.js';
import {kindIndex} from '../trace/slices.js';
import type {ReportSource} from './report-source.js';

/**
 * Tagged ranges as nsys's reports see them: an interval on the thread that began it. Columns are of one length.
 *
 *     range  slice  startNs  endNs  track  thread  id  isStartEnd  isCrossThread
 *         0     17        0   9000      3    9946   2           0              0
 *         1     18     1000   3000      3    9946   3           0              0     inside range 0
 */
export interface RangeSet {
  readonly length: number;
  readonly slice: Int32Array;
  readonly startNs: Float64Array;
  /** Ranges that never ended end at the last NVTX event. */
  readonly endNs: Float64Array;
  /** The beginning thread's track, -1 where it has none. */
  readonly track: Int32Array;
  /** The beginning thread, -1 where unknown. */
  readonly thread: Float64Array;
  /** nsys's row id; for other profiles a number from 1 in the order of the slices table. */
  readonly id: Float64Array;
  readonly isStartEnd: Uint8Array;
  readonly isCrossThread: Uint8Array;
}

/** Which ranges are wanted: those of a thread's stack, those between two points of a process, or both. */
export interface RangeStyles {
  readonly pushPop: boolean;
  readonly startEnd: boolean;
}

/**
 * The ranges whose mask is 1 (all where it is null), in the order of the slices table: those that a person named, or
 * what `stack` takes for ranges. All but start/end ranges count as push/pop.
 */
export function collectRangeSet(
  {trace, details, stack = {}}: Pick<ReportSource, 'trace' | 'details' | 'stack'>,
  {pushPop, startEnd}: RangeStyles,
  mask: Uint8Array | null,
): RangeSet {
  const {slices, tracks, meta} = trace;
  const rows = wantedSlices();
  const set = emptySet(rows.length);
  const found = details.ranges;
  let detail = 0;
  for (let range = 0; range < rows.length; range++) {
    const row = rows[range];
    const isStartEnd = slices.kind[row] === kindIndex.nvtx_startend;
    set.slice[range] = row;
    set.startNs[range] = slices.startNs[row];
    set.endNs[range] = slices.startNs[row] + slices.durationNs[row];
    set.isStartEnd[range] = isStartEnd ? 1 : 0;
    set.id[range] = meta.format === 'nsys' ? slices.source[row] : range + 1;
    set.track[range] = isStartEnd ? -1 : slices.track[row];
    set.thread[range] = isStartEnd ? -1 : tracks[slices.track[row]].thread;
    if (found === null) continue;
    while (detail < found.slice.length && found.slice[detail] < row) detail++;
    if (found.slice[detail] !== row) continue;
    set.track[range] = found.track[detail];
    set.thread[range] = found.thread[detail];
    set.isCrossThread[range] = found.isCrossThread[detail];
    if (found.isOpen[detail] === 1) set.endNs[range] = Math.max(set.startNs[range], found.lastNs);
  }
  return set;

  function wantedSlices(): Int32Array {
    const isStyle = (row: number) => (slices.kind[row] === kindIndex.nvtx_startend ? startEnd : pushPop);
    return rowsOfRanges(trace, rangeChoiceOf(stack)).filter(row => isStyle(row) && (mask === null || mask[row] === 1));
  }
}

/**
 * The ranges that lie on one thread, by track, start, the longer first, then id. Ranges that another thread ended are
 * left out: which calls are inside them nobody can say.
 */
export function onThreads(set: RangeSet): RangeSet {
  if (isInOrder()) return set;
  const order = new Int32Array(set.length)
    .map((_, range) => range)
    .filter(range => set.track[range] >= 0 && set.isCrossThread[range] === 0)
    .sort(compare);
  const sorted = emptySet(order.length);
  for (let i = 0; i < order.length; i++) {
    const range = order[i];
    sorted.slice[i] = set.slice[range];
    sorted.startNs[i] = set.startNs[range];
    sorted.endNs[i] = set.endNs[range];
    sorted.track[i] = set.track[range];
    sorted.thread[i] = set.thread[range];
    sorted.id[i] = set.id[range];
    sorted.isStartEnd[i] = set.isStartEnd[range];
  }
  return sorted;

  function compare(a: number, b: number): number {
    return (
      set.track[a] - set.track[b] ||
      set.startNs[a] - set.startNs[b] ||
      set.endNs[b] - set.endNs[a] ||
      set.id[a] - set.id[b]
    );
  }

  /** Push/pop ranges are so already, for the slices table is. */
  function isInOrder(): boolean {
    const {length, startNs, endNs, track, id} = set;
    for (let i = 0; i < length; i++) {
      if (track[i] < 0 || set.isCrossThread[i] === 1) return false;
      if (i === 0 || track[i] > track[i - 1]) continue;
      if (track[i] < track[i - 1] || startNs[i] < startNs[i - 1]) return false;
      if (startNs[i] > startNs[i - 1]) continue;
      if (endNs[i] > endNs[i - 1] || (endNs[i] === endNs[i - 1] && id[i] < id[i - 1])) return false;
    }
    return true;
  }
}

/** Steps that looking through open ranges may take: ranges nest a few hundred deep at most. */
const mostSteps = 500_000_000;

/**
 * Range → the range right around it on its thread, -1 for none. `ranges` are in the order of `onThreads`.
 *
 * Bounds are closed; of several ranges around one the shortest is its parent, and of equal intervals the earlier is the
 * outer one.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function rangeParents({length, track, startNs, endNs}: RangeSet): Int32Array {
  const parent = new Int32Array(length).fill(-1);
  const open: number[] = [];
  let steps = 0;
  for (let range = 0; range < length; range++) {
    if (range > 0 && track[range] !== track[range - 1]) open.length = 0;
    while (open.length > 0 && endNs[open[open.length - 1]] < startNs[range]) open.pop();
    let best = -1;
    let bestNs = Infinity;
    for (let i = open.length - 1; i >= 0; i--) {
      const candidate = open[i];
      const durationNs = endNs[candidate] - startNs[candidate];
      if (endNs[candidate] >= endNs[range] && durationNs < bestNs) {
        best = candidate;
        bestNs = durationNs;
      }
    }
    steps += open.length;
    if (steps > mostSteps) throw tooManyOpenRanges();
    parent[range] = best;
    open.push(range);
  }
  return parent;
}

export function tooManyOpenRanges(): TraceError {
  return new TraceError(
    'trace/too-many-open-ranges',
    'Too many ranges are open at once in this profile to tell which work is whose.',
  );
}

/** How many ranges are around each range. */
export function rangeLevels(parent: Int32Array): Int32Array {
  const level = new Int32Array(parent.length);
  // A parent stands before its children.
  for (let range = 0; range < parent.length; range++) level[range] = parent[range] < 0 ? 0 : level[parent[range]] + 1;
  return level;
}

/** A range's ids from the outermost range down: `:3:4:5`. */
export function rangeStack({id}: RangeSet, parent: Int32Array, range: number): string {
  const ids: string[] = [];
  for (let at = range; at >= 0; at = parent[at]) ids.push(String(id[at]));
  return `:${ids.reverse().join(':')}`;
}

/** "PushPop" or "StartEnd". */
export function styleOf({isStartEnd}: RangeSet, range: number): string {
  return isStartEnd[range] === 1 ? 'StartEnd' : 'PushPop';
}

function emptySet(length: number): RangeSet {
  return {
    length,
    slice: new Int32Array(length),
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    track: new Int32Array(length),
    thread: new Float64Array(length),
    id: new Float64Array(length),
    isStartEnd: new Uint8Array(length),
    isCrossThread: new Uint8Array(length),
  };
}
