import {reportApiName} from '../names/api-name.js';
import {reportMemoryName} from '../names/memory-operation-name.js';
import {attributionOf} from '../scope/attribution-of.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {isFoldedInto} from '../scope/range-filter.js';
import {placeOfNames, rangePlace} from '../figures/range-places.js';
import {choose, type Selection} from '../scope/selection.js';
import {namesThat} from '../trace/names-that.js';
import {kindMask, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {TableTab} from './tab-list.js';

/** The place of a row in a trace: a slice, and the time to show around it. */
export interface RowPlace {
  readonly slice: number;
  readonly fromNs: number;
  readonly toNs: number;
  readonly names: readonly string[];
}

/** The kinds of slices that a row sums, and how the row writes their names. */
const slicesOfRow: Readonly<
  Partial<Record<TableTab['row'], {readonly kinds: readonly SliceKind[]; readonly textOf: (name: string) => string}>>
> = {
  kernel: {kinds: ['kernel'], textOf: name => name},
  operation: {kinds: ['gpu_memcpy', 'gpu_memset'], textOf: reportMemoryName},
  call: {kinds: ['cuda_runtime', 'cuda_driver', 'osrt'], textOf: reportApiName},
  operator: {
    kinds: ['cpu_op', 'user_annotation', 'python_function', 'module', 'kernel', 'cuda_runtime', 'cuda_driver'],
    textOf: name => name,
  },
};

/**
 * Returns the place of a row's longest slice, or for a range of its first instance with GPU work, with a tenth of
 * margin on either side. Null if the selection has no slice of that name.
 *
 * @param choice what counts as a range; the user's ranges if absent
 * @throws TraceError `selection/no-match`
 */
export function rowPlace(
  trace: Trace,
  row: TableTab['row'],
  name: string,
  selection: Selection = {},
  choice?: RangeChoice,
): RowPlace | null {
  const isIn = chosenSlices(trace, selection, choice);
  if (row === 'range' || row === 'step') {
    const place =
      rangePlace(trace, [[name]], isIn, choice) ?? placeOfNames(trace, text => isFoldedInto(text, name), isIn, choice);
    return place && around(place.slice, place.startNs, place.gpuEndNs, place.names);
  }
  const longest = longestSlice(trace, row, name, isIn);
  if (longest < 0) return null;
  const {startNs, durationNs, name: nameOf} = trace.slices;
  const fromNs = startNs[longest];
  return around(longest, fromNs, fromNs + durationNs[longest], [trace.strings.get(nameOf[longest])]);
}

/** Returns a test of whether a slice, of a thread or of a GPU, is in a selection, by its row. */
export function chosenSlices(trace: Trace, selection: Selection, choice?: RangeChoice): (slice: number) => boolean {
  const {operations, isSliceChosen} = choose(trace, attributionOf(trace, choice), selection);
  const {gpuOperations, slices} = trace;
  // 0: slice of a thread; 1: operation outside the selection; 2: operation inside.
  const ofGpu = new Uint8Array(operations ? slices.length : 0);
  operations?.forEach((isChosen, operation) => (ofGpu[gpuOperations.slice[operation]] = 1 + isChosen));
  return slice => (ofGpu[slice] > 0 ? ofGpu[slice] === 2 : (isSliceChosen?.(slice) ?? true));
}

/** Returns a test of whether a row sums a slice. */
export function sliceOfRow(
  {slices, strings}: Pick<Trace, 'slices' | 'strings'>,
  row: TableTab['row'],
  name: string,
): (slice: number) => boolean {
  const wanted = slicesOfRow[row];
  if (!wanted) return () => false;
  const isKind = kindMask(new Set(wanted.kinds));
  const isName = namesThat({slices, strings}, text => wanted.textOf(text) === name);
  return slice => isKind[slices.kind[slice]] === 1 && isName(slice);
}

/** Returns the longest slice that a row sums, the first if several are equal; -1 for none. */
function longestSlice(
  {slices, strings}: Trace,
  row: TableTab['row'],
  name: string,
  isIn: (slice: number) => boolean,
): number {
  const isOfRow = sliceOfRow({slices, strings}, row, name);
  let longest = -1;
  for (let slice = 0; slice < slices.length; slice++) {
    if (!isOfRow(slice) || !isIn(slice)) continue;
    if (longest < 0 || slices.durationNs[slice] > slices.durationNs[longest]) longest = slice;
  }
  return longest;
}

function around(slice: number, startNs: number, endNs: number, names: readonly string[]): RowPlace {
  const marginNs = Math.max(1000, (endNs - startNs) / 10);
  return {slice, fromNs: startNs - marginNs, toNs: endNs + marginNs, names};
}
