import {attributionOf} from '../scope/attribution-of.js';
import {arrayBytes, derivedKey, derivedPart} from '../trace/derived.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * The groups, besides names, by which slices can be distinguished: the tagged range for which they count, or their
 * process.
 */
export const sliceGroupings = ['range', 'rank'] as const;
export type SliceGrouping = (typeof sliceGroupings)[number];

/** The group of each slice. */
export interface SliceGroups {
  /** Row of the slices table → its group, -1 for none. */
  readonly of: Int32Array;
  readonly nameOf: (group: number) => string;
}

const sliceGroupsKey = derivedKey<Int32Array>('slice groups');

/**
 * - range: for a GPU operation, the range that has it as self work, forward or backward; for a tagged range, its own
 *   name; none for others
 * - rank: the process of the slice, or the process that launched it
 *
 * @see docs/metrics.md#attribution
 */
export function sliceGroups(trace: Trace, by: SliceGrouping): SliceGroups {
  const of = derivedPart(
    trace,
    sliceGroupsKey,
    by,
    () => (by === 'range' ? rangeNames(trace) : processes(trace)),
    column => arrayBytes({column}),
  );
  const {strings, processes: known} = trace;
  // A trace with only GPU work may name no process.
  const processName = (process: number) =>
    process < known.length ? `${known[process].name} ${known[process].pid}`.trim() : '';
  return {of, nameOf: by === 'range' ? name => strings.get(name) : processName};
}

/** Slice → index of its range's name. */
function rangeNames(trace: Trace): Int32Array {
  const {slices, gpuOperations} = trace;
  const isRange = kindMask(taggedRangeKinds);
  const of = new Int32Array(slices.length).fill(-1);
  for (let slice = 0; slice < of.length; slice++) {
    if (isRange[slices.kind[slice]] === 1) of[slice] = slices.name[slice];
  }
  const {sites, credit, ranges} = attributionOf(trace);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = sites.siteOf[operation];
    // Negative numbers are buckets for work outside ranges.
    const range = site < 0 ? -1 : credit.range[site];
    if (range >= 0) of[gpuOperations.slice[operation]] = slices.name[ranges.slice[range]];
  }
  return of;
}

/** Slice → index of its process. */
function processes({slices, tracks, gpuOperations}: Trace): Int32Array {
  const of = new Int32Array(slices.length).fill(-1);
  for (const {process, firstSlice, endSlice} of tracks) of.fill(process, firstSlice, endSlice);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    of[gpuOperations.slice[operation]] = gpuOperations.process[operation];
  }
  return of;
}
