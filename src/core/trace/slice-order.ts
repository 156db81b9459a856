import {orderByTrackAndStart} from '../table/sort.js';
import {gatherColumn, narrowed, release, type TableBuilder} from '../table/table.js';
import type {sliceSchema} from './slices.js';
import {apiCallKinds, kindMask, type SliceTable} from './slices.js';

/** Slices in their final order, and the mapping from the drafts. */
export interface OrderedSlices {
  readonly slices: SliceTable;
  /** Draft row → row. */
  readonly rowOfDraft: Int32Array;
  /** The first event, in the drafts' time; `slices.startNs` counts from it. */
  readonly originNs: number;
  /** First event to last end. */
  readonly spanNs: number;
}

/** From the first event to the end of the last one; Infinity to -Infinity if there are none. */
export interface Extent {
  readonly firstNs: number;
  readonly lastNs: number;
}

/**
 * Sorts the drafts by the rank of their track, then by start, longer first, and moves the first event to 0; `others` is
 * the extent of events that are not slices.
 *
 * Consumes the drafts: each column is released as soon as it is copied, so that at most one exists twice.
 */
export function orderSlices(
  drafts: TableBuilder<typeof sliceSchema>,
  rankOfTrack: Int32Array,
  others: Extent,
): OrderedSlices {
  const {columns, length} = drafts;
  const {firstNs, lastNs} = extent(columns, length, others);
  const originNs = firstNs === Infinity ? 0 : firstNs;
  renumber(columns.track, rankOfTrack, length);
  // Narrow these before the sort, which needs memory of its own.
  const [sourceOfDraft, durationOfDraft] = [narrowed(columns.source, length), narrowed(columns.durationNs, length)];
  const order = orderByTrackAndStart(columns.track, columns.startNs, length, rankOfTrack.length);
  orderTies(order, {...columns, durationNs: durationOfDraft});
  const take = <Column extends Parameters<typeof gatherColumn>[0]>(draft: Column) => {
    const column = gatherColumn(draft, order);
    release(draft);
    return column;
  };
  // Take the narrow columns first: this frees memory for the wide ones.
  const [kind, track] = [take(columns.kind), take(narrowed(columns.track, length))];
  const [name, source] = [take(narrowed(columns.name, length)), take(sourceOfDraft)];
  const [startNs, durationNs] = [take(columns.startNs), take(durationOfDraft)];
  moveBack(startNs, originNs);
  const rowOfDraft = inverse(order);
  release(order);
  const slices = {startNs, durationNs, name, track, kind, source, length};
  return {slices, rowOfDraft, originNs, spanNs: firstNs === Infinity ? 0 : lastNs - firstNs};
}

// V8 compiles a loop in its own function while it runs, long before a loop among others.

function renumber(track: Int32Array, rankOfTrack: Int32Array, length: number): void {
  for (let i = 0; i < length; i++) track[i] = rankOfTrack[track[i]];
}

function moveBack(startNs: Float64Array, byNs: number): void {
  for (let i = 0; i < startNs.length; i++) startNs[i] -= byNs;
}

function inverse(order: Uint32Array): Int32Array {
  const places = new Int32Array(order.length);
  for (let place = 0; place < order.length; place++) places[order[place]] = place;
  return places;
}

function extent({startNs, durationNs}: Drafts, length: number, others: Extent): Extent {
  let {firstNs, lastNs} = others;
  for (let i = 0; i < length; i++) {
    const start = startNs[i];
    const end = start + durationNs[i];
    if (start < firstNs) firstNs = start;
    if (end > lastNs) lastNs = end;
  }
  return {firstNs, lastNs};
}

type Drafts = Omit<TableBuilder<typeof sliceSchema>['columns'], 'durationNs'> & Pick<SliceTable, 'durationNs'>;

/**
 * Sorts slices of a track that start together: the longer comes first; of equal ones an API call comes last, since the
 * range around it was opened before it.
 */
function orderTies(order: Uint32Array, {track, startNs, durationNs, kind}: Drafts): void {
  const isCall = kindMask(apiCallKinds);
  const before = (a: number, b: number) => durationNs[b] - durationNs[a] || isCall[kind[a]] - isCall[kind[b]] || a - b;
  let first = 0;
  for (let i = 1; i <= order.length; i++) {
    const isTied =
      i < order.length && startNs[order[i]] === startNs[order[first]] && track[order[i]] === track[order[first]];
    if (isTied) continue;
    if (i > first + 1) order.subarray(first, i).sort(before);
    first = i;
  }
}
