import {lowerBound, upperBound} from '../table/search.js';
import {TableBuilder, type Table} from '../table/table.js';
import type {OperatorTable} from './gpu-operations.js';
import type {SliceTable} from './slices.js';
import type {Track} from './trace.js';

/**
 * One row per flow between two operators, by the operators' start; times count from the trace's origin.
 *
 *       row  fromTrack  fromNs  toTrack   toNs
 *        0           0    1200        3  90400   aten::mm → MmBackward0
 */
const flowSchema = {fromNs: 'f64', toNs: 'f64', fromTrack: 'i32', toTrack: 'i32'} as const;
export type FlowTable = Table<typeof flowSchema>;

export const flowBuilder = (): TableBuilder<typeof flowSchema> => new TableBuilder(flowSchema);

/**
 * Returns the pairs of slices that flows join: `[from, to, from, to, …]`. A flow is skipped unless both its ends are
 * the start of an operator with a sequence number; of several operators that start there the innermost is taken.
 */
export function resolveFlows(
  flows: FlowTable,
  tracks: readonly Track[],
  slices: SliceTable,
  operators: OperatorTable,
): Int32Array {
  const numbered = numberedSlices(operators);
  const pairs = new Int32Array(2 * flows.length);
  let length = 0;
  for (let flow = 0; flow < flows.length; flow++) {
    const from = operatorAt(tracks[flows.fromTrack[flow]], flows.fromNs[flow], slices, numbered);
    const to = operatorAt(tracks[flows.toTrack[flow]], flows.toNs[flow], slices, numbered);
    if (from < 0 || to < 0) continue;
    pairs[length++] = from;
    pairs[length++] = to;
  }
  return pairs.slice(0, length);
}

/** Returns the slices of the operators that have a sequence number, ascending. */
function numberedSlices({length, slice, sequence}: OperatorTable): Int32Array {
  const numbered = new Int32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (sequence[row] !== -1) numbered[count++] = slice[row];
  return numbered.subarray(0, count);
}

/** Returns the last slice of a track that starts at `atNs` and is in `numbered`, which is ascending; -1 for none. */
function operatorAt({firstSlice, endSlice}: Track, atNs: number, {startNs}: SliceTable, numbered: Int32Array): number {
  const place = lowerBound(numbered, upperBound(startNs, atNs, firstSlice, endSlice)) - 1;
  if (place < 0) return -1;
  const slice = numbered[place];
  return slice >= firstSlice && startNs[slice] === atNs ? slice : -1;
}
