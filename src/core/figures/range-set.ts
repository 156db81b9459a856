import {say} from '../base/say.js';
import {mostPathNames} from '../attribution/range-groups.js';
import {rangeChoiceOf} from '../attribution/range-stack.js';
import {rowsOfRanges} from '../attribution/ranges.js';
import {TraceError} from '../base/errors.js';
import {gatherColumn, release} from '../table/table.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {RangeDetails} from './report-details.js';
import type {ReportSource} from './report-source.js';

/** Ranges whose rows of the slices table are incomplete: begun or ended on threads that the rows do not name. */
interface SpecialRanges {
  readonly endNs: Float64Array;
  readonly track: Int32Array;
  readonly thread: Float64Array;
  readonly isCrossThread: Uint8Array;
}

/**
 * User-defined ranges as in nsys's reports: an interval on the thread that began it.
 *
 *     range  slice  startNs  endNs  trackOf  threadOf  idOf  isStartEnd  isCrossThread
 *         0     17        0   9000        3      9946     2       false          false
 *         1     18     1000   3000        3      9946     3       false          false     inside range 0
 *
 * There may be millions of ranges, so columns of the slices table are read there and not copied.
 */
export class RangeSet {
  /**
   * @param slice range → row of the slices table
   * @param special null if each range is fully described by its slice
   * @param place range → its position in the order of the slices table; null if ranges are in that order, or if the
   *   file numbers ranges itself, so that it is not needed
   */
  constructor(
    private readonly trace: Trace,
    readonly slice: Int32Array,
    private readonly special: SpecialRanges | null,
    private readonly place: Int32Array | null = null,
  ) {}

  get length(): number {
    return this.slice.length;
  }

  startNs(range: number): number {
    return this.trace.slices.startNs[this.slice[range]];
  }

  /** Ranges that never ended end at the last NVTX event. */
  endNs(range: number): number {
    if (this.special !== null) return this.special.endNs[range];
    const {startNs, durationNs} = this.trace.slices;
    const row = this.slice[range];
    return startNs[row] + durationNs[row];
  }

  /** Returns the time from beginning to end, ns. */
  durationNs(range: number): number {
    return this.endNs(range) - this.startNs(range);
  }

  /** Returns the track of the thread that began the range, -1 if there is none. */
  trackOf(range: number): number {
    return this.special === null ? this.trace.slices.track[this.slice[range]] : this.special.track[range];
  }

  /**
   * Returns the file's own number, such as nsys's row id; in other profiles a number from 1 in the order of the slices
   * table.
   */
  idOf(range: number): number {
    if (this.#areNumbered) return this.trace.slices.source[this.slice[range]];
    return (this.place === null ? range : this.place[range]) + 1;
  }

  /** Whether the file numbers ranges itself. */
  get #areNumbered(): boolean {
    return this.trace.meta.numbersRanges === true;
  }

  /** Returns the thread that began the range, -1 if unknown. */
  threadOf(range: number): number {
    if (this.special !== null) return this.special.thread[range];
    return this.trace.tracks[this.trackOf(range)].thread;
  }

  isStartEnd(range: number): boolean {
    return this.trace.slices.kind[this.slice[range]] === kindIndex.nvtx_startend;
  }

  /** Returns whether another thread ended the range. */
  isCrossThread(range: number): boolean {
    return this.special !== null && this.special.isCrossThread[range] === 1;
  }

  /** Returns "PushPop" or "StartEnd". */
  styleOf(range: number): string {
    return this.isStartEnd(range) ? 'StartEnd' : 'PushPop';
  }

  /**
   * Returns the ranges at `order`: a subset, or all in another order. Takes over `order`, which must not be used
   * afterwards.
   */
  inOrder(order: Int32Array): RangeSet {
    const {special} = this;
    const rows = new Uint32Array(order.buffer, order.byteOffset, order.length);
    const at = <Column extends Int32Array | Float64Array | Uint8Array>(column: Column) => gatherColumn(column, rows);
    const slice = at(this.slice);
    const specialAt = special && {
      endNs: at(special.endNs),
      track: at(special.track),
      thread: at(special.thread),
      isCrossThread: at(special.isCrossThread),
    };
    const place = this.#areNumbered ? null : this.place === null ? order : at(this.place);
    if (place !== order) release(order);
    return new RangeSet(this.trace, slice, specialAt, place);
  }
}

/**
 * The wanted ranges: push/pop ranges of a thread's stack, start/end ranges between two points of a process, or both.
 */
export interface RangeStyles {
  readonly pushPop: boolean;
  readonly startEnd: boolean;
}

/**
 * Returns the ranges whose mask is 1 (all if it is null), in the order of the slices table: user-defined ranges, or
 * those that `stack` selects. All except start/end ranges count as push/pop.
 */
export function collectRangeSet(
  {trace, details, stack = {}}: Pick<ReportSource, 'trace' | 'details' | 'stack'>,
  {pushPop, startEnd}: RangeStyles,
  mask: Uint8Array | null,
): RangeSet {
  const {slices} = trace;
  const rows = wantedSlices();
  const found = details.ranges;
  const hasSpecial = slices.kind.includes(kindIndex.nvtx_startend) || (found !== null && found.slice.length > 0);
  return hasSpecial ? specialSet(trace, rows, found) : new RangeSet(trace, rows, null);

  function wantedSlices(): Int32Array {
    const wanted = rowsOfRanges(trace, rangeChoiceOf(stack));
    if (pushPop && startEnd && mask === null) return wanted;
    const isStyle = (row: number) => (slices.kind[row] === kindIndex.nvtx_startend ? startEnd : pushPop);
    return wanted.filter(row => isStyle(row) && (mask === null || mask[row] === 1));
  }
}

/** Returns the ranges at `rows`, with the details that are known for some of them. */
function specialSet(trace: Trace, rows: Int32Array, found: RangeDetails | null): RangeSet {
  const {slices, tracks} = trace;
  const special = {
    endNs: new Float64Array(rows.length),
    track: new Int32Array(rows.length),
    thread: new Float64Array(rows.length),
    isCrossThread: new Uint8Array(rows.length),
  };
  let detail = 0;
  for (let range = 0; range < rows.length; range++) {
    const row = rows[range];
    const isStartEnd = slices.kind[row] === kindIndex.nvtx_startend;
    special.endNs[range] = slices.startNs[row] + slices.durationNs[row];
    special.track[range] = isStartEnd ? -1 : slices.track[row];
    special.thread[range] = isStartEnd ? -1 : tracks[slices.track[row]].thread;
    if (found === null) continue;
    while (detail < found.slice.length && found.slice[detail] < row) detail++;
    if (found.slice[detail] !== row) continue;
    special.track[range] = found.track[detail];
    special.thread[range] = found.thread[detail];
    special.isCrossThread[range] = found.isCrossThread[detail];
    if (found.isOpen[detail] === 1 && !Number.isNaN(found.lastNs)) {
      special.endNs[range] = Math.max(slices.startNs[row], found.lastNs);
    }
  }
  return new RangeSet(trace, rows, special);
}

/**
 * Returns the ranges that lie on one thread, by track, start, the longer first, then id. Ranges ended by another thread
 * are left out, since the calls inside them cannot be determined.
 */
export function onThreads(set: RangeSet): RangeSet {
  if (isInOrder()) return set;
  const order = new Int32Array(set.length)
    .map((_, range) => range)
    .filter(range => set.trackOf(range) >= 0 && !set.isCrossThread(range))
    .sort(compare);
  return set.inOrder(order);

  function compare(a: number, b: number): number {
    return (
      set.trackOf(a) - set.trackOf(b) ||
      set.startNs(a) - set.startNs(b) ||
      set.endNs(b) - set.endNs(a) ||
      set.idOf(a) - set.idOf(b)
    );
  }

  /** Push/pop ranges are already in this order, as is the slices table. */
  function isInOrder(): boolean {
    for (let range = 0; range < set.length; range++) {
      if (set.trackOf(range) < 0 || set.isCrossThread(range)) return false;
      if (range > 0 && compare(range - 1, range) > 0) return false;
    }
    return true;
  }
}

/** Most steps for searching open ranges: ranges nest a few hundred deep at most. */
const mostSteps = 500_000_000;

/**
 * Nests ranges that come one by one, in the order of `onThreads`.
 *
 * Bounds are closed. The parent of a range is the shortest range around it; of equal intervals the earlier is the outer
 * one.
 */
export class RangeNest {
  /**
   * Open ranges, outermost first, and the level of each. Their number is kept in `#depth`, since shortening a list
   * takes as long as everything else.
   */
  readonly #open: number[] = [];
  readonly #levels: number[] = [];
  #depth = 0;
  #track = -1;
  #steps = 0;

  constructor(private readonly ranges: RangeSet) {}

  /** The number of ranges around the one that came last. */
  get level(): number {
    return this.#levels[this.#depth - 1];
  }

  /**
   * Returns the range directly around the next one on its thread, among those added so far; -1 for none.
   *
   * @throws TraceError `trace/too-many-open-ranges`
   */
  parentOf(range: number): number {
    const {ranges} = this;
    const open = this.#open;
    const startNs = ranges.startNs(range);
    const endNs = ranges.endNs(range);
    const track = ranges.trackOf(range);
    let depth = track === this.#track ? this.#depth : 0;
    this.#track = track;
    while (depth > 0 && ranges.endNs(open[depth - 1]) < startNs) depth--;
    let best = -1;
    let bestNs = Infinity;
    for (let i = depth - 1; i >= 0; i--) {
      const durationNs = ranges.durationNs(open[i]);
      if (ranges.endNs(open[i]) >= endNs && durationNs < bestNs) {
        best = i;
        bestNs = durationNs;
      }
    }
    this.#steps += depth;
    if (this.#steps > mostSteps) throw tooManyOpenRanges();
    const parent = best < 0 ? -1 : open[best];
    const level = best < 0 ? 0 : this.#levels[best] + 1;
    open[depth] = range;
    this.#levels[depth] = level;
    this.#depth = depth + 1;
    return parent;
  }
}

/**
 * Returns range → the range directly around it on its thread, -1 for none. @throws TraceError
 * `trace/too-many-open-ranges`
 */
export function rangeParents(ranges: RangeSet): Int32Array {
  const nest = new RangeNest(ranges);
  const parent = new Int32Array(ranges.length);
  for (let range = 0; range < parent.length; range++) parent[range] = nest.parentOf(range);
  return parent;
}

export function tooManyOpenRanges(): TraceError {
  return new TraceError(
    'trace/too-many-open-ranges',
    say('Too many ranges are open at once in this profile to tell which work belongs to which.'),
  );
}

/** Returns the number of ranges around each range. */
export function rangeLevels(parent: Int32Array): Int32Array {
  const level = new Int32Array(parent.length);
  // Parents precede their children.
  for (let range = 0; range < parent.length; range++) level[range] = parent[range] < 0 ? 0 : level[parent[range]] + 1;
  return level;
}

/** Returns a range's ids from the outermost range down: `:3:4:5`. A stack that is too deep begins with `:…`. */
export function rangeStack(ranges: RangeSet, parent: Int32Array, range: number): string {
  const ids: string[] = [];
  let at = range;
  for (; at >= 0 && ids.length < mostPathNames; at = parent[at]) ids.push(String(ranges.idOf(at)));
  if (at >= 0) ids.push('…');
  return `:${ids.reverse().join(':')}`;
}
