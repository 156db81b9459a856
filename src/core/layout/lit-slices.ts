import {partOfRanges} from '../scope/selection.js';
import {attributionOf} from '../scope/attribution-of.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import {derived, derivedKey} from '../trace/derived.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';
import type {LaneIndex} from './lane-index.js';

/** The slices that belong to ranges of some names. */
export interface LitSlices {
  /** Row of the slices table → 1 for these slices. */
  readonly of: Uint8Array;
  /**
   * Returns whether any slice at positions `from` to `to` (exclusive) of an index is one.
   *
   * @param sliceOf row → row of the trace's slices
   */
  isAnyLit(index: LaneIndex, sliceOf: Int32Array | null, from: number, to: number): boolean;
}

/** The number of cached results per trace: the panel and an editor may show the same file with different names. */
const mostKept = 2;
/** Per row: the flag, and in the lane indexes, which contain each row once, the number of such rows before it. */
const bytesOfRow = Uint8Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT;

const litSlicesKey = derivedKey<Map<string, LitSlices>>('lit slices');

/**
 * Returns the slices that belong to ranges of some names, as the figures of a line count them: the ranges; what lies
 * inside them on their own threads; their GPU operations, forward and backward, with the calls that launched those; and
 * the profiler's own projections of the ranges onto the GPU. For names that no range has, the slices with these names.
 *
 * @see docs/metrics.md#gpu-work
 */
export function litSlices(trace: Trace, names: readonly string[]): LitSlices {
  const kept = derived(
    trace,
    litSlicesKey,
    () => new Map<string, LitSlices>(),
    () => mostKept * trace.slices.length * bytesOfRow,
  );
  const key = JSON.stringify(names);
  const lit = kept.get(key) ?? findLit(trace, names);
  // The first entry was used least recently.
  kept.delete(key);
  kept.set(key, lit);
  for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
  return lit;
}

function findLit(trace: Trace, names: readonly string[]): LitSlices {
  const of = litRows(trace, new Set(names));
  const counts = new WeakMap<LaneIndex, Uint32Array>();
  return {
    of,
    isAnyLit(index, sliceOf, from, to) {
      let before = counts.get(index);
      if (!before) counts.set(index, (before = litBefore(of, index, sliceOf)));
      return before[to] > before[from];
    },
  };
}

function litRows(trace: Trace, names: ReadonlySet<string>): Uint8Array {
  const {slices, gpuOperations, tracks} = trace;
  const of = new Uint8Array(slices.length);
  const attribution = attributionOf(trace);
  const {ranges, sites} = attribution;
  const fits = namesThat(trace, (text, name) => name > 0 && names.has(text));
  const wanted = ranges.slice.map((_, range) => range).filter(range => fits(ranges.slice[range]));
  const rows = wanted.map(range => ranges.slice[range]);
  const isRangeName = new Set(rows.map(row => slices.name[row]));
  lightInside(trace, rows, of);
  const part = partOfRanges(attribution, wanted);
  for (let site = 0; site < part.length; site++) if (part[site] > 0) of[sites.slice[site]] = 1;
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = sites.siteOf[operation];
    if (site >= 0 && part[site] > 0) of[gpuOperations.slice[operation]] = 1;
  }
  const isRange = kindMask(taggedRangeKinds);
  for (let row = 0; row < of.length; row++) {
    const name = slices.name[row];
    if (!fits(row)) continue;
    const isProjected = tracks[slices.track[row]].kind === 'gpu-ranges';
    if (isProjected || isRange[slices.kind[row]] === 1 || !isRangeName.has(name)) of[row] = 1;
  }
  return of;
}

/**
 * Lights ranges and what lies inside them on their threads; of ranges that belong to a whole process, only the ranges.
 * Makes one pass over each thread, however deep ranges nest: what lies inside any of them lies inside the one that ends
 * last.
 *
 * @param rows of the slices table, ascending
 */
function lightInside({slices, tracks}: Trace, rows: Int32Array, of: Uint8Array): void {
  const {startNs, durationNs, track} = slices;
  for (let next = 0; next < rows.length;) {
    const first = rows[next];
    const {kind, endSlice} = tracks[track[first]];
    let insideNs = -Infinity;
    for (let row = first; row < (kind === 'thread' ? endSlice : first + 1); row++) {
      const endNs = startNs[row] + durationNs[row];
      const isRange = row === rows[next];
      if (isRange) {
        next++;
        insideNs = Math.max(insideNs, endNs);
      }
      if (isRange || (startNs[row] < insideNs && endNs <= insideNs)) of[row] = 1;
    }
  }
}

/** Position → number of lit slices before it. */
function litBefore(of: Uint8Array, {order}: LaneIndex, sliceOf: Int32Array | null): Uint32Array {
  const before = new Uint32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) {
    before[at + 1] = before[at] + of[sliceOf === null ? order[at] : sliceOf[order[at]]];
  }
  return before;
}
