import {displayName} from '../format/slice-name.js';
import {TableBuilder, type Table} from '../table/table.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {gpuProjection} from './gpu-projection.js';
import {laneIndex, type DrawnSlices, type LaneIndex} from './lane-index.js';

/** Lanes of a track, `endLane` exclusive. Tracks behind those of the trace are those of its GPU projection. */
export interface LaneRange {
  readonly track: number;
  readonly firstLane: number;
  readonly endLane: number;
}

/** A window of time at a width, for the lanes that are in sight. */
export interface VisibleWindow {
  readonly fromNs: number;
  readonly toNs: number;
  readonly widthPx: number;
  readonly lanes: readonly LaneRange[];
}

/**
 * One row per block to draw, by track, lane and time.
 *
 *     row  track  lane  leftPx  widthPx  name  kind  slice  count
 *      0       0     0     0.0    900.0     0     0      0      1   one slice
 *      1       0     1    12.0      1.0    -1     3      7     41   41 slices that are too narrow to tell apart
 *
 * Pixels count from the window's left edge, and may lie outside it. `slice` is the block's first slice; `name` is an
 * index into `names`, -1 where the block stands for slices of several names. `busyFraction` is how much of the block's
 * width its slices cover: 1 for a single one.
 */
export const visibleSchema = {
  track: 'u16',
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
}

/** Blocks narrower than this are merged with their neighbours: they could not be told apart. */
const mergeBelowPx = 1;
/** More blocks than this, and neighbours are merged that could be told apart: an answer has at most 200 KB. */
export const mostBlocks = 5000;
/** All names of an answer together, in characters, and the longest: a label is never as wide. */
const mostNameLetters = 40_000;
const longestName = 200;
const shortestName = 8;

/**
 * What is to be drawn of a trace in a window. Slices of a lane that share a pixel become one block; where that makes
 * more than `mostBlocks`, those that share two, four, eight… do.
 *
 * Costs a few steps per block, however many slices it stands for.
 */
export function visibleSlices(trace: Trace, window: VisibleWindow): VisibleSlices {
  for (let mergePx = mergeBelowPx; ; mergePx *= 2) {
    const builder = new BlockBuilder(trace, window, mergePx);
    // One block a lane is the least there can be.
    if (builder.addAll() || mergePx > window.widthPx) return builder.finish();
  }
}

/** Where the slices of a track are: in the trace, or in its projection. */
interface TrackSource extends DrawnSlices {
  readonly index: LaneIndex;
  /** Its number among the source's tracks. */
  readonly own: number;
  /** Row → row of the trace's slices; null where they are the same. */
  readonly sliceOf: Int32Array | null;
}

function sourceOf(trace: Trace, track: number): TrackSource | null {
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

class BlockBuilder {
  readonly #blocks = new TableBuilder(visibleSchema, 1024);
  readonly #names: number[] = [];
  readonly #nameIndex = new Map<number, number>();
  readonly #pxPerNs: number;
  readonly #narrowNs: number;

  constructor(
    private readonly trace: Trace,
    private readonly window: VisibleWindow,
    private readonly mergePx: number,
  ) {
    const {fromNs, toNs, widthPx} = window;
    this.#pxPerNs = widthPx / (toNs - fromNs);
    this.#narrowNs = mergePx / this.#pxPerNs;
  }

  /** Adds what is in sight; false, and unfinished, where that is too much. */
  addAll(): boolean {
    for (const {track, firstLane, endLane} of this.window.lanes) {
      const source = sourceOf(this.trace, track);
      if (!source) continue;
      const sections = source.index.sections[source.own];
      const last =
        sections.length === 0 ? 0 : sections[sections.length - 1].firstLane + sections[sections.length - 1].laneCount;
      for (let lane = Math.max(0, firstLane); lane < Math.min(endLane, last); lane++) {
        if (!this.#addLane(source, track, lane)) return false;
      }
    }
    return true;
  }

  #addLane(source: TrackSource, track: number, lane: number): boolean {
    const {startNs, durationNs} = source.slices;
    const {index} = source;
    const {order} = index;
    const {fromNs, toNs} = this.window;
    const {first, end} = index.lane(source.own, lane);
    // Slices of a lane do not overlap, so their ends ascend like their starts.
    for (let at = index.firstEndingAfter(first, end, fromNs); at < end;) {
      const row = order[at];
      if (startNs[row] >= toNs) break;
      let next = at + 1;
      if (durationNs[row] < this.#narrowNs) {
        next = index.firstStartingFrom(at, end, startNs[row] + this.#narrowNs);
        // Of the slices that start within a pixel only the last can be wider than that: it stands for itself.
        if (next > at + 1 && durationNs[order[next - 1]] >= this.#narrowNs) next--;
      }
      if (this.#blocks.length >= mostBlocks) return false;
      this.#add(source, track, lane, at, next);
      at = next;
    }
    return true;
  }

  /** A block for the slices at positions `from` to `to` (exclusive) of the index. */
  #add({slices, index, sliceOf}: TrackSource, track: number, lane: number, from: number, to: number): void {
    const {startNs, durationNs, kind, name} = slices;
    const {order} = index;
    const slice = order[from];
    const last = order[to - 1];
    const count = to - from;
    const durationPx = (startNs[last] + durationNs[last] - startNs[slice]) * this.#pxPerNs;
    const widthPx = count > 1 ? Math.max(durationPx, this.mergePx) : durationPx;
    const row = this.#blocks.add();
    const {columns} = this.#blocks;
    columns.track[row] = track;
    columns.lane[row] = lane;
    columns.leftPx[row] = (startNs[slice] - this.window.fromNs) * this.#pxPerNs;
    columns.widthPx[row] = widthPx;
    columns.name[row] = index.haveOneName(from, to) ? this.#nameOf(name[slice]) : -1;
    columns.kind[row] = kind[slice];
    columns.slice[row] = sliceOf === null ? slice : sliceOf[slice];
    columns.count[row] = count;
    columns.busyFraction[row] = count > 1 ? Math.min(1, (index.sumNs(from, to) * this.#pxPerNs) / widthPx) : 1;
  }

  finish(): VisibleSlices {
    const {fromNs, toNs} = this.window;
    const letters = Math.min(
      longestName,
      Math.max(shortestName, Math.floor(mostNameLetters / Math.max(1, this.#names.length))),
    );
    const names = this.#names.map(name => displayName(this.trace.strings.get(name)).slice(0, letters));
    return {fromNs, toNs, blocks: this.#blocks.finish(), names, kinds: sliceKinds};
  }

  #nameOf(name: number): number {
    let index = this.#nameIndex.get(name);
    if (index === undefined) {
      index = this.#names.push(name) - 1;
      this.#nameIndex.set(name, index);
    }
    return index;
  }
}
