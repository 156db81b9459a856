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

/** What is to be drawn of a trace in a window. Slices of a lane that share a pixel become one block. */
export function visibleSlices(trace: Trace, window: VisibleWindow): VisibleSlices {
  const index = laneIndex(trace);
  const builder = new BlockBuilder(trace, window);
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
  const pxPerNs = widthPx / (toNs - fromNs);
  const {first, end} = index.lane(track, lane);
  builder.begin(track, lane);
  // Slices of a lane do not overlap, so their ends ascend like their starts.
  for (let at = index.firstEndingAfter(first, end, fromNs); at < end; at++) {
    const row = index.order[at];
    if (startNs[row] >= toNs) break;
    builder.add(row, (startNs[row] - fromNs) * pxPerNs, durationNs[row] * pxPerNs);
  }
  builder.flush();
}

class BlockBuilder {
  readonly #blocks = new TableBuilder(visibleSchema, 1024);
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<number, number>();
  #track = 0;
  #lane = 0;
  #leftPx = 0;
  #rightPx = 0;
  #coveredPx = 0;
  #slice = -1;
  #count = 0;
  #hasOneName = true;

  constructor(
    private readonly trace: Trace,
    private readonly window: VisibleWindow,
  ) {}

  begin(track: number, lane: number): void {
    this.#track = track;
    this.#lane = lane;
    this.#count = 0;
  }

  /** Takes the next slice of the lane: it joins the open block where both are narrow and touch the same pixel. */
  add(row: number, leftPx: number, widthPx: number): void {
    const isNarrow = widthPx < mergeBelowPx;
    const joins = this.#count > 0 && isNarrow && leftPx < this.#leftPx + mergeBelowPx && this.#isNarrow();
    if (!joins) this.flush();
    if (this.#count === 0) {
      this.#leftPx = leftPx;
      this.#coveredPx = 0;
      this.#slice = row;
      this.#hasOneName = true;
    }
    const {name} = this.trace.slices;
    if (name[row] !== name[this.#slice]) this.#hasOneName = false;
    this.#rightPx = leftPx + widthPx;
    this.#coveredPx += widthPx;
    this.#count++;
  }

  #isNarrow(): boolean {
    return this.#count > 1 || this.#rightPx - this.#leftPx < mergeBelowPx;
  }

  flush(): void {
    if (this.#count === 0) return;
    const widthPx = Math.max(this.#rightPx - this.#leftPx, this.#count > 1 ? mergeBelowPx : 0);
    this.#blocks.push({
      track: this.#track,
      lane: this.#lane,
      leftPx: this.#leftPx,
      widthPx,
      name: this.#hasOneName ? this.#nameOf(this.#slice) : -1,
      kind: this.trace.slices.kind[this.#slice],
      slice: this.#slice,
      count: this.#count,
      busyFraction: this.#count > 1 ? Math.min(1, this.#coveredPx / widthPx) : 1,
    });
    this.#count = 0;
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
