import {laneCountOf} from './lane-sections.js';
import {displayName} from '../names/slice-name.js';
import {allocateColumns, type Table} from '../table/table.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {sliceGroups, type SliceGrouping} from './slice-groups.js';
import {litSlices} from './lit-slices.js';
import {MainSliceFinder} from './main-slice.js';
import {trackSource, type TrackSource} from './track-source.js';

/** Lanes of a track, `endLane` exclusive. Tracks of the GPU projection are numbered after those of the trace. */
export interface LaneRange {
  readonly track: number;
  readonly firstLane: number;
  readonly endLane: number;
}

/** A window of time at a width, for the visible lanes. */
export interface VisibleWindow {
  readonly fromNs: number;
  readonly toNs: number;
  readonly widthPx: number;
  readonly lanes: readonly LaneRange[];
  /** By what blocks are distinguished besides their names; nothing if absent. */
  readonly groupBy?: SliceGrouping;
  /** Names of ranges: blocks that belong to them are marked. */
  readonly lit?: readonly string[];
}

/**
 * One row per block to draw, by track, lane and time.
 *
 *     row  track  lane  leftPx  widthPx  name  kind  slice  count
 *      0       0     0     0.0    900.0     0     0      0      1   one slice
 *      1       0     1    12.0      1.0    -1     3      7     41   41 slices that are too narrow to tell apart
 *
 * Pixels count from the window's left edge, and may be outside it. `slice` is the block's first slice; `name` is an
 * index into `names`. For a block with slices of several names it is negative, and `~name` is the name whose colour the
 * block has (`mainName`). `kind` is that name's kind. `busyFraction` is the fraction of the block's width that its
 * slices cover: 1 for a single one.
 */
export const visibleSchema = {
  track: 'i32',
  lane: 'u16',
  leftPx: 'f32',
  widthPx: 'f32',
  name: 'i32',
  kind: 'u8',
  slice: 'i32',
  count: 'i32',
  busyFraction: 'f32',
} as const;

export interface VisibleSlices {
  readonly fromNs: number;
  readonly toNs: number;
  readonly blocks: Table<typeof visibleSchema>;
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  /** Block → its group, if the window requests groups. */
  readonly groups: BlockGroups | null;
  /** Block → 1 if one of its slices belongs to the ranges that the window names; null if it names none. */
  readonly lit: Uint8Array | null;
}

/** Returns the name whose colour a block has: its own, or the name of the slices with the most time in it. */
export function mainName({blocks, names}: Pick<VisibleSlices, 'blocks' | 'names'>, block: number): string {
  const name = blocks.name[block];
  return names[name < 0 ? ~name : name];
}

/** Groups of blocks. */
interface BlockGroups {
  readonly by: SliceGrouping;
  /**
   * Block → index into `names`; -1 for none, and for a block with slices of several groups or with very many slices.
   */
  readonly of: Int32Array;
  readonly names: readonly string[];
}

/** Blocks narrower than this are merged with their neighbours, because they could not be told apart. */
const mergeBelowPx = 1;
/** For larger blocks, it is not checked whether all slices are in one group. */
const mostGrouped = 64;
/** With more blocks than this, wider neighbours are merged, too: an answer has at most 200 KB. */
export const mostBlocks = 5000;
/** The greatest total length of all names of an answer, in characters, and of one name: no label is that wide. */
const mostNameLetters = 40_000;
const mostGroupLetters = 10_000;
const longestName = 200;
const shortestName = 8;

/**
 * Returns what to draw of a trace in a window. Slices of a lane that share a pixel become one block; if that makes more
 * than `mostBlocks`, those that share two, four, eight… pixels do.
 *
 * Takes a few steps per block, whatever its number of slices.
 */
export function visibleSlices(trace: Trace, window: VisibleWindow): VisibleSlices {
  const lanes = drawnLanesOf(trace, window);
  for (let mergePx = leastMergePx(lanes, window.widthPx); ; mergePx *= 2) {
    const runs = new LaneRuns(window, mergePx);
    // There is at least one block per lane.
    if (runs.addAll(lanes) || mergePx > window.widthPx) return blocksOf(trace, window, mergePx, runs);
  }
}

/** A visible lane, and the part of its index inside the window. */
interface DrawnLane {
  readonly source: TrackSource;
  readonly track: number;
  readonly lane: number;
  readonly first: number;
  readonly end: number;
}

function drawnLanesOf(trace: Trace, {lanes, fromNs, toNs}: VisibleWindow): DrawnLane[] {
  const found: DrawnLane[] = [];
  for (const {track, firstLane, endLane} of lanes) {
    const source = trackSource(trace, track);
    if (!source) continue;
    const {index, own} = source;
    const last = Math.min(endLane, laneCountOf(index.sections[own]));
    for (let lane = Math.max(0, firstLane); lane < last; lane++) {
      const {first, end} = index.lane(own, lane);
      const from = index.firstEndingAfter(first, end, fromNs);
      // The slice at `from` may have begun long before the window; those after it begin inside.
      if (from >= end || source.slices.startNs[index.order[from]] >= toNs) continue;
      found.push({source, track, lane, first: from, end: index.firstStartingFrom(from, end, toNs)});
    }
  }
  return found;
}

/** Returns the first merge width to try: any smaller one would certainly, or most likely, give too many blocks. */
function leastMergePx(lanes: readonly DrawnLane[], widthPx: number): number {
  for (let mergePx = mergeBelowPx; ; mergePx *= 2) {
    let most = 0;
    for (const {first, end} of lanes) most += Math.min(end - first, widthPx / mergePx);
    if (most <= 1.3 * mostBlocks || mergePx > widthPx) return mergePx;
  }
}

/** The slices of each block: positions in the index of a lane, from `from` to `to` (exclusive). */
class LaneRuns {
  length = 0;
  readonly lane: DrawnLane[] = [];
  readonly from: number[] = [];
  readonly to: number[] = [];
  readonly #narrowNs: number;

  constructor({fromNs, toNs, widthPx}: VisibleWindow, mergePx: number) {
    this.#narrowNs = (mergePx * (toNs - fromNs)) / widthPx;
  }

  /** Adds what is visible. Returns false, with an incomplete result, if that is too much. */
  addAll(lanes: readonly DrawnLane[]): boolean {
    return lanes.every(lane => this.#add(lane));
  }

  #add(lane: DrawnLane): boolean {
    const {source, first, end} = lane;
    const {startNs, durationNs} = source.slices;
    const {index} = source;
    const {order} = index;
    // Slices of a lane do not overlap, so their ends ascend like their starts.
    for (let at = first; at < end;) {
      const row = order[at];
      let next = at + 1;
      if (durationNs[row] < this.#narrowNs) {
        next = index.firstStartingFrom(at, index.lane(source.own, lane.lane).end, startNs[row] + this.#narrowNs);
        // Of the slices that start within a pixel, only the last can be wider than a pixel: it becomes its own block.
        if (next > at + 1 && durationNs[order[next - 1]] >= this.#narrowNs) next--;
      }
      if (this.length === mostBlocks) return false;
      this.lane.push(lane);
      this.from.push(at);
      this.to.push(next);
      this.length++;
      at = next;
    }
    return true;
  }
}

function blocksOf(trace: Trace, window: VisibleWindow, mergePx: number, runs: LaneRuns): VisibleSlices {
  const {fromNs, toNs, widthPx} = window;
  const pxPerNs = widthPx / (toNs - fromNs);
  const columns = allocateColumns(visibleSchema, runs.length);
  const names: number[] = [];
  const nameIndex = new Map<number, number>();
  const finder = new MainSliceFinder(trace);
  for (let block = 0; block < runs.length; block++) {
    const {source, track, lane} = runs.lane[block];
    const {startNs, durationNs, kind, name} = source.slices;
    const {index, sliceOf} = source;
    const from = runs.from[block];
    const to = runs.to[block];
    const slice = index.order[from];
    const last = index.order[to - 1];
    const count = to - from;
    const durationPx = (startNs[last] + durationNs[last] - startNs[slice]) * pxPerNs;
    const blockPx = count > 1 ? Math.max(durationPx, mergePx) : durationPx;
    columns.track[block] = track;
    columns.lane[block] = lane;
    columns.leftPx[block] = (startNs[slice] - fromNs) * pxPerNs;
    columns.widthPx[block] = blockPx;
    const isOneName = index.haveOneName(from, to);
    const main = isOneName ? slice : finder.find(source, index.order, from, to);
    const nameAt = indexOfName(name[main]);
    columns.name[block] = isOneName ? nameAt : ~nameAt;
    columns.kind[block] = kind[main];
    columns.slice[block] = sliceOf === null ? slice : sliceOf[slice];
    columns.count[block] = count;
    columns.busyFraction[block] = count > 1 ? Math.min(1, (index.sumNs(from, to) * pxPerNs) / blockPx) : 1;
  }
  const blocks = {...columns, length: runs.length};
  const groups = window.groupBy ? groupsOf(trace, window.groupBy, runs) : null;
  const lit = window.lit ? litBlocks(trace, window.lit, runs) : null;
  return {fromNs, toNs, blocks, names: shownNames(trace, names), kinds: sliceKinds, groups, lit};

  function indexOfName(name: number): number {
    let at = nameIndex.get(name);
    if (at === undefined) nameIndex.set(name, (at = names.push(name) - 1));
    return at;
  }
}

function litBlocks(trace: Trace, names: readonly string[], {length, lane, from, to}: LaneRuns): Uint8Array {
  const lit = litSlices(trace, names);
  return Uint8Array.from({length}, (_, block) => {
    const {index, sliceOf} = lane[block].source;
    return Number(lit.isAnyLit(index, sliceOf, from[block], to[block]));
  });
}

function groupsOf(trace: Trace, by: SliceGrouping, runs: LaneRuns): BlockGroups {
  const groups = sliceGroups(trace, by);
  const of = new Int32Array(runs.length).fill(-1);
  const indexOf = new Map<number, number>();
  for (let block = 0; block < runs.length; block++) {
    const {index, sliceOf} = runs.lane[block].source;
    const from = runs.from[block];
    const to = runs.to[block];
    if (to - from > mostGrouped) continue;
    const groupAt = (at: number) => groups.of[sliceOf === null ? index.order[at] : sliceOf[index.order[at]]];
    const group = groupAt(from);
    let at = from + 1;
    while (at < to && groupAt(at) === group) at++;
    if (group < 0 || at < to) continue;
    if (!indexOf.has(group)) indexOf.set(group, indexOf.size);
    of[block] = indexOf.get(group) ?? -1;
  }
  return {by, of, names: shortened(Array.from(indexOf.keys(), groups.nameOf), mostGroupLetters)};
}

/** Returns names for labels, cut so that together they stay within an answer's limit. */
export function shownNames({strings}: Pick<Trace, 'strings'>, names: readonly number[]): string[] {
  return shortened(
    names.map(name => displayName(strings.get(name))),
    mostNameLetters,
  );
}

function shortened(texts: readonly string[], mostLetters: number): string[] {
  const letters = Math.floor(mostLetters / Math.max(1, texts.length));
  const longest = Math.min(longestName, Math.max(shortestName, letters));
  return texts.map(text => text.slice(0, longest));
}
