import type {RangeChoice} from '../attribution/ranges.js';
import {rowMask} from '../table/row-mask.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {selectInstants, selectOperations, selectSlices, type Selection} from './selection.js';

/**
 * The part of a trace that a report covers. Rows of `gpuOperations` and of `slices` whose mask is 0 are excluded; a
 * null mask includes all. API calls and ranges are slices.
 */
export interface ReportScope {
  readonly operations: Uint8Array | null;
  readonly slices: Uint8Array | null;
  /**
   * The ranges (rows of `slices`) that operations in scope may be assigned to; they may have ended before the window.
   */
  readonly ranges: Uint8Array | null;
  /** The rows of `instants` in scope: memory events. */
  readonly instants: Uint8Array | null;
  /** The device whose memory counts; null for all. */
  readonly device: number | null;
  /** The window. Of work partly outside, summaries count the time inside; lists show it whole. */
  readonly fromNs: number;
  readonly toNs: number;
}

export const wholeTrace: ReportScope = {
  operations: null,
  slices: null,
  ranges: null,
  instants: null,
  device: null,
  fromNs: -Infinity,
  toNs: Infinity,
};

/**
 * Returns the part of a trace that reports of a selection cover; all of it for an empty selection.
 *
 * @param ranges the kinds of the selection's range; the user's ranges if absent
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 * @see docs/metrics.md#selection
 */
export function reportScope(trace: Trace, selection: Selection, ranges?: RangeChoice): ReportScope {
  if (Object.values(selection).every(value => value === undefined)) return wholeTrace;
  const attribution = attributionOf(trace, ranges);
  const {fromNs = -Infinity, toNs = Infinity, ...withoutWindow} = selection;
  const mask = (part: Selection) => {
    const isIn = selectSlices(trace, attribution, part);
    return isIn && rowMask(trace.slices.length, isIn);
  };
  const isInstantIn = selectInstants(trace, attribution, selection);
  return {
    operations: selectOperations(trace, attribution, selection),
    slices: mask(selection),
    ranges: mask(withoutWindow),
    instants: isInstantIn && rowMask(trace.instants.length, isInstantIn),
    device: selection.device ?? null,
    fromNs,
    toNs,
  };
}
