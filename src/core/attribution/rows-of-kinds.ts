import {trim} from '../table/table.js';
import {kindMask, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Returns the rows of the slices of `kinds`, ascending. */
export function rowsOfKinds({slices}: Trace, kinds: SliceKindSet): Int32Array {
  const {kind, length} = slices;
  const wanted = kindMask(kinds);
  // Memory that is never written to is not committed.
  const rows = new Int32Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) if (wanted[kind[row]] === 1) rows[count++] = row;
  return trim(rows, count);
}
