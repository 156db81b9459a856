import {durationSpread, type RowDurations} from '../tabs/row-durations.js';
import type {Trace} from '../trace/trace.js';

/** A slice's duration compared with others of its kind and name. */
export interface SliceDurations {
  readonly spread: RowDurations;
  readonly ownNs: number;
  /** How many of the others are shorter, and how many are longer. */
  readonly shorter: number;
  readonly longer: number;
}

/**
 * Returns the distribution of the durations of all slices with a slice's kind and name; null for a row that does not
 * exist.
 *
 * @see docs/metrics.md#durations
 */
export function sliceDurations(trace: Trace, slice: number): SliceDurations | null {
  const {name, kind, durationNs, length} = trace.slices;
  if (!Number.isInteger(slice) || slice < 0 || slice >= length) return null;
  const [ownName, ownKind, ownNs] = [name[slice], kind[slice], durationNs[slice]];
  const found: number[] = [];
  let [shorter, longer] = [0, 0];
  for (let row = 0; row < length; row++) {
    if (name[row] !== ownName || kind[row] !== ownKind) continue;
    found.push(row);
    if (durationNs[row] < ownNs) shorter++;
    else if (durationNs[row] > ownNs) longer++;
  }
  return {spread: durationSpread(trace, found), ownNs, shorter, longer};
}
