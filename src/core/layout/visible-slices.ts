import {displayName} from '../format/slice-name.js';
import {TableBuilder, type Table} from '../table/table.js';
import {sliceKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {laneIndex, type LaneIndex} from './lane-index.js';

/** A window of time at a width, for the tracks that are in sight. */
export interface VisibleWindow {
  readonly fromNs: number;
  readonly toNs: number;
  readonly widthPx: number;
  readonly tracks: readonly number[];
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
}

/** Blocks narrower than this are merged with their neighbours: they could not be told apart. */
const mergeBelowPx = 1;

/**
 * What is to be drawn of a trace in a window. Slices of a lane that share a pixel become one block.
 *
 * Costs a few steps per block, however many slices it stands for.
 */
export function visibleSlices(trace: Trace, window: VisibleWindow): VisibleSlices {
  const index = laneIndex(trace);
  const builder = new BlockBuilder(trace, window, index);
  for (const track of window.tracks) {
    const {laneCount} = trace.tracks[track] ?? {laneCount: 0};
    for (let lane = 0; lane < laneCount; lane++) addLane(trace, index, track, lane, window, builder);
  }
  return builder.finish();
}

function addLane(
  {slices}: Trace,
  index: LaneIndex,
  track: number,
  lane: number,
  {fromNs, toNs, widthPx}: VisibleWindow,
  builder: BlockBuilder,
): void {
  const {startNs, durationNs} = slices;
  const {order} = index;
  const narrowNs = (mergeBelowPx * (toNs - fromNs)) / widthPx;
  const {first, end} = index.lane(track, lane);
  // Slices of a lane do not overlap, so their ends ascend like their starts.
  for (let at = index.firstEndingAfter(first, end, fromNs); at < end;) {
    const row = order[at];
    if (startNs[row] >= toNs) break;
    let next = at + 1;
    if (durationNs[row] < narrowNs) {
      next = index.firstStartingFrom(at, end, startNs[row] + narrowNs);
      // Of the slices that start within a pixel only the last can be wider than that: it stands for itself.
      if (next > at + 1 && durationNs[order[next - 1]] >= narrowNs) next--;
    }
    builder.add(track, lane, at, next);
    at = next;
  }
}

class BlockBuilder {
  readonly #blocks = new TableBuilder(visibleSchema, 1024);
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<number, number>();
  readonly #pxPerNs: number;

  constructor(
    private readonly trace: Trace,
    private readonly window: VisibleWindow,
    private readonly index: LaneIndex,
  ) {
    this.#pxPerNs = window.widthPx / (window.toNs - window.fromNs);
  }

  /** A block for the slices at positions `from` to `to` (exclusive) of the index. */
  add(track: number, lane: number, from: number, to: number): void {
    const {startNs, durationNs, kind} = this.trace.slices;
    const {order} = this.index;
    const slice = order[from];
    const last = order[to - 1];
    const count = to - from;
    const durationPx = (startNs[last] + durationNs[last] - startNs[slice]) * this.#pxPerNs;
    const widthPx = count > 1 ? Math.max(durationPx, mergeBelowPx) : durationPx;
    const row = this.#blocks.add();
    const {columns} = this.#blocks;
    columns.track[row] = track;
    columns.lane[row] = lane;
    columns.leftPx[row] = (startNs[slice] - this.window.fromNs) * this.#pxPerNs;
    columns.widthPx[row] = widthPx;
    columns.name[row] = this.index.haveOneName(from, to) ? this.#nameOf(slice) : -1;
    columns.kind[row] = kind[slice];
    columns.slice[row] = slice;
    columns.count[row] = count;
    columns.busyFraction[row] = count > 1 ? Math.min(1, (this.index.sumNs(from, to) * this.#pxPerNs) / widthPx) : 1;
  }

  finish(): VisibleSlices {
    const {fromNs, toNs} = this.window;
    return {fromNs, toNs, blocks: this.#blocks.finish(), names: this.#names, kinds: sliceKinds};
  }

  #nameOf(row: number): number {
    const name = this.trace.slices.name[row];
    let index = this.#nameIndex.get(name);
    if (index === undefined) {
      index = this.#names.push(displayName(this.trace.strings.get(name))) - 1;
      this.#nameIndex.set(name, index);
    }
    return index;
  }
}
