import {partOfRanges} from '../queries/selection.js';
import {attributionOf} from '../queries/ranges.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import {derived} from '../trace/derived.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';
import type {LaneIndex} from './lane-index.js';

/** The slices that ranges of some names stand for. */
export interface LitSlices {
  /** Row of the slices table → 1 for those. */
  readonly of: Uint8Array;
  /** Whether any slice at positions `from` to `to` (exclusive) of an index is one. @param sliceOf row → row of the trace's slices */
  isAnyLit(index: LaneIndex, sliceOf: Int32Array | null, from: number, to: number): boolean;
}

/** Kept of a trace: the panel and an editor of its file may show it with different names. */
const mostKept = 2;
/** Row → lit, and in the lane indexes, which hold each row once, how many before it are. */
const bytesOfRow = Uint8Array.BYTES_PER_ELEMENT + Uint32Array.BYTES_PER_ELEMENT;

/**
 * What ranges of some names stand for, as figures of a line count it: the ranges, what lies inside them on their own
 * threads, the GPU operations of their work, forward and backward, with the calls that launched those, and the ranges
 * that the profiler itself projected onto the GPU. Names that no range has stand for the slices that are called so.
 *
 * @see docs/metrics.md#gpu-work
 */
export function litSlices(trace: Trace, names: readonly string[]): LitSlices {
  const kept = derived(
    trace,
    'lit slices',
    () => new Map<string, LitSlices>(),
    () => mostKept * trace.slices.length * bytesOfRow,
  );
  const key = JSON.stringify(names);
  const lit = kept.get(key) ?? findLit(trace, names);
  // The first was used longest ago.
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
  const isWanted = (range: number) => fits(ranges.slice[range]);
  const wanted = Int32Array.from([...ranges.slice.keys()].filter(isWanted));
  const isRangeName = new Set(Array.from(wanted, range => slices.name[ranges.slice[range]]));
  for (const range of wanted) lightInside(trace, ranges.slice[range], of);
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

/** Lights a range and what lies inside it on its thread; of one that belongs to a whole process it alone. */
function lightInside({slices, tracks}: Trace, range: number, of: Uint8Array): void {
  const {startNs, durationNs, track} = slices;
  const {kind, endSlice} = tracks[track[range]];
  of[range] = 1;
  if (kind !== 'thread') return;
  const endNs = startNs[range] + durationNs[range];
  for (let row = range + 1; row < endSlice && startNs[row] < endNs; row++) {
    if (startNs[row] + durationNs[row] <= endNs) of[row] = 1;
  }
}

/** Position → how many of those before it are lit. */
function litBefore(of: Uint8Array, {order}: LaneIndex, sliceOf: Int32Array | null): Uint32Array {
  const before = new Uint32Array(order.length + 1);
  for (let at = 0; at < order.length; at++) {
    before[at + 1] = before[at] + of[sliceOf === null ? order[at] : sliceOf[order[at]]];
  }
  return before;
}
