import {isUserFrame} from '../../figures/operation-origins.js';
import {parseCallLine} from '../../source/call-line.js';
import {namesThat} from '../../trace/names-that.js';
import {kindMask} from '../../trace/slices.js';
import type {Trace, Track} from '../../trace/trace.js';
import {groupRows} from '../../table/group-rows.js';
import type {PathGraph, PathPiece} from './critical-path.js';

/** CPU time of a critical path in one slice. */
export interface ThreadPiece {
  /** The innermost operator, call or range; -1 outside all. */
  readonly slice: number;
  /** The innermost slice whose name is a line of the user's own code; -1 for none. */
  readonly frame: number;
  readonly ns: number;
}

const isNamed = kindMask(
  new Set([
    'cpu_op',
    'cuda_runtime',
    'cuda_driver',
    'user_annotation',
    'nvtx_pushpop',
    'module',
    'library_call',
    'osrt',
    'mpi',
  ] as const),
);

/**
 * Returns the CPU time of a critical path by the slices that were open in it. If a piece takes another time in the
 * replay than in the profile, its time is spread proportionally over them.
 *
 * @param isFrame which slices count as `frame`, by their rows; by default those whose name is a line of the user's own
 *   code
 */
export function threadPieces(
  trace: Trace,
  {graph: {moments}}: Pick<PathGraph, 'graph'>,
  pieces: readonly PathPiece[],
  isFrame = namesThat(trace, tellsPlace),
): ThreadPiece[] {
  const byTrack = groupRows(
    Int32Array.from(pieces, ({to}) => moments.track[to]),
    trace.tracks.length,
  );
  return trace.tracks.flatMap((track, index) => {
    const rows = byTrack.rows.subarray(byTrack.offsets[index], byTrack.offsets[index + 1]);
    const own = Array.from(rows, at => pieces[at]).sort((a, b) => moments.measuredNs[a.to] - moments.measuredNs[b.to]);
    const open = new OpenSlices(trace, track, isFrame);
    return own.flatMap(({from, to, ns}) => {
      const toNs = moments.measuredNs[to];
      // If the window's start cuts a piece, its end is inside.
      const fromNs = toNs - Math.max(0, Math.min(toNs - moments.measuredNs[from], ns));
      if (fromNs === toNs) return [{...open.at(toNs), ns}];
      return piecesIn(open, fromNs, toNs, ns / (toNs - fromNs));
    });
  });
}

function piecesIn(open: OpenSlices, fromNs: number, toNs: number, scale: number): ThreadPiece[] {
  const found: ThreadPiece[] = [];
  for (let atNs = fromNs; atNs < toNs;) {
    const slices = open.at(atNs);
    const nextNs = Math.min(toNs, open.changesNs());
    found.push({...slices, ns: (nextNs - atNs) * scale});
    atNs = nextNs;
  }
  return found;
}

/** The slices of a track that are open at a time. Times must be asked in ascending order. */
class OpenSlices {
  readonly #open: number[] = [];
  #next: number;

  constructor(
    private readonly trace: Trace,
    private readonly track: Track,
    private readonly isFrame: (row: number) => boolean,
  ) {
    this.#next = track.firstSlice;
  }

  at(ns: number): Omit<ThreadPiece, 'ns'> {
    const {kind, startNs} = this.trace.slices;
    const isShown = (row: number) => isNamed[kind[row]] === 1;
    for (; this.#next < this.track.endSlice && startNs[this.#next] <= ns; this.#next++) {
      if (!isShown(this.#next) && !this.isFrame(this.#next)) continue;
      this.#close(startNs[this.#next]);
      this.#open.push(this.#next);
    }
    this.#close(ns);
    return {slice: this.#open.findLast(isShown) ?? -1, frame: this.#open.findLast(this.isFrame) ?? -1};
  }

  /** Returns when the next slice begins, or the innermost open one ends. */
  changesNs(): number {
    const {startNs} = this.trace.slices;
    return Math.min(this.#next < this.track.endSlice ? startNs[this.#next] : Infinity, this.#endOfInnermost());
  }

  #close(ns: number): void {
    while (this.#open.length > 0 && this.#endOfInnermost() <= ns) this.#open.pop();
  }

  #endOfInnermost(): number {
    const row = this.#open.at(-1);
    return row === undefined ? Infinity : this.trace.slices.startNs[row] + this.trace.slices.durationNs[row];
  }
}

/** Returns whether a slice's name is a line of the user's own code. */
function tellsPlace(name: string): boolean {
  return isUserFrame(name) || parseCallLine(name) !== null;
}
