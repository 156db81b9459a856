import {outsideAnyRange, siteFlag} from '../attribution/credit.js';
import {displayName} from '../names/slice-name.js';
import {derived, derivedKey} from '../trace/derived.js';
import {kindMask, sliceKinds, taggedRangeKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {callOfSlice, operationOfSlice} from '../figures/operation-of-slice.js';
import {operationOrigins, type OperationOrigins} from '../figures/operation-origins.js';
import {attributionOf} from '../scope/attribution-of.js';

/** A slice that another one belongs to or comes from. */
export interface NamedSlice {
  readonly slice: number;
  readonly name: string;
}

/** The surroundings of a slice. */
export interface SliceContext {
  /** The duration minus that of its direct children on its thread, ns; null for GPU work. */
  readonly selfNs: number | null;
  /** The tagged range that the slice is credited to, or lies in. */
  readonly range: NamedSlice | null;
  /** Whether that range counts it as backward. */
  readonly isBackward: boolean;
  /** The reason why an operation has no range: "(outside any range)". */
  readonly bucket: string | null;
  readonly operator: NamedSlice | null;
  readonly module: NamedSlice | null;
  /** The innermost frame of the user's own Python code: `train.py(12): step`. */
  readonly frame: NamedSlice | null;
  /** The number and total duration of slices of the same kind and name. */
  readonly sameName: {readonly count: number; readonly totalNs: number};
}

/** Returns the surroundings of a slice; null for a row that does not exist. @see docs/metrics.md#slice-context */
export function sliceContext(trace: Trace, slice: number): SliceContext | null {
  if (!Number.isInteger(slice) || slice < 0 || slice >= trace.slices.length) return null;
  const operation = operationOfSlice(trace, slice);
  const sameName = sameNameOf(trace, slice);
  return operation < 0
    ? {...contextOnThread(trace, slice), sameName}
    : {...contextOfOperation(trace, operation), sameName};
}

type Context = Omit<SliceContext, 'sameName'>;

function contextOfOperation(trace: Trace, operation: number): Context {
  const {ranges, sites, credit} = attributionOf(trace);
  const site = sites.siteOf[operation];
  const origins = originsOf(trace);
  const range = site < 0 ? -1 : credit.range[site];
  const named = (row: number) => namedSlice(trace, row);
  return {
    selfNs: null,
    range: range < 0 ? null : named(ranges.slice[range]),
    isBackward: site >= 0 && (credit.flags[site] & siteFlag.backward) !== 0,
    bucket: range >= 0 ? null : bucketOf(site, range),
    operator: named(origins.operator[operation]),
    module: named(origins.module[operation]),
    frame: named(origins.frame[operation]),
  };
}

function bucketOf(site: number, range: number): string {
  if (site < 0) return '(no launch call)';
  return range === outsideAnyRange ? '(outside any range)' : '(backward, unmatched)';
}

const originsKey = derivedKey<OperationOrigins>('origins');

function originsOf(trace: Trace): OperationOrigins {
  return derived(trace, originsKey, () => operationOrigins(trace));
}

/** The kinds of surrounding slices that are shown. */
const containers = ['range', 'operator', 'module', 'frame'] as const;
const containerMasks = [
  taggedRangeKinds,
  new Set<SliceKind>(['cpu_op']),
  new Set<SliceKind>(['module']),
  new Set<SliceKind>(['python_function']),
].map(kindMask);
/** Kind of slice → its place among the containers, -1 for none. */
const containerOfKind = Int8Array.from(sliceKinds, (_, kind) => containerMasks.findIndex(mask => mask[kind] === 1));

/** At most so many slices before a nested one are searched for its parents, which are mostly near. */
const mostRows = 200_000;

function contextOnThread(trace: Trace, slice: number): Context {
  const [range, operator, module, frame] = innermostAround(trace, slice).map(row => namedSlice(trace, row));
  const selfNs = callOfSlice(trace, slice) >= 0 ? null : selfNsOf(trace, slice);
  return {selfNs, range, isBackward: false, bucket: null, operator, module, frame};
}

/** Returns, for each container, the row of the innermost one around a slice on its track; -1 for none. */
function innermostAround({slices, tracks}: Trace, slice: number): number[] {
  const {startNs, durationNs, kind, track} = slices;
  const endNs = startNs[slice] + durationNs[slice];
  const found = containers.map(() => -1);
  let missing: number = containers.length;
  const stop = Math.max(tracks[track[slice]].firstSlice, slice - mostRows);
  for (let row = slice - 1; row >= stop && missing > 0; row--) {
    const container = containerOfKind[kind[row]];
    if (container < 0 || found[container] >= 0 || startNs[row] + durationNs[row] < endNs) continue;
    found[container] = row;
    missing--;
  }
  return found;
}

/** Returns the duration minus the union of what lies inside on the same track; at least 0. */
function selfNsOf({slices, tracks}: Trace, slice: number): number {
  const {startNs, durationNs, track} = slices;
  const endNs = startNs[slice] + durationNs[slice];
  const {endSlice} = tracks[track[slice]];
  let coveredNs = 0;
  let coveredToNs = startNs[slice];
  for (let row = slice + 1; row < endSlice && startNs[row] < endNs; row++) {
    const rowEndNs = Math.min(endNs, startNs[row] + durationNs[row]);
    if (rowEndNs <= coveredToNs) continue;
    coveredNs += rowEndNs - Math.max(coveredToNs, startNs[row]);
    coveredToNs = rowEndNs;
  }
  return durationNs[slice] - coveredNs;
}

function sameNameOf({slices}: Trace, slice: number): {count: number; totalNs: number} {
  const {name, kind, durationNs, length} = slices;
  const own = name[slice];
  const ownKind = kind[slice];
  let count = 0;
  let totalNs = 0;
  for (let row = 0; row < length; row++) {
    if (name[row] !== own || kind[row] !== ownKind) continue;
    count++;
    totalNs += durationNs[row];
  }
  return {count, totalNs};
}

function namedSlice({slices, strings}: Trace, row: number): NamedSlice | null {
  return row < 0 ? null : {slice: row, name: displayName(strings.get(slices.name[row]))};
}
