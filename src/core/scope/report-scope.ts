import type {RangeChoice} from '../attribution/ranges.js';
import {rowMask} from '../table/row-mask.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './attribution-of.js';
import {selectInstants, selectOperations, selectSlices, type Selection} from './selection.js';

/**
 * Which part of a trace a report covers: rows of `gpuOperations` and of `slices` whose mask is 0 are left out. Null is
 * all of them. API calls and ranges are slices.
 */
export interface ReportScope {
  readonly operations: Uint8Array | null;
  readonly slices: Uint8Array | null;
  /** The ranges (rows of `slices`) that operations in scope may be laid to: they may have ended before the window. */
  readonly ranges: Uint8Array | null;
  /** The rows of `instants` that count: events of memory. */
  readonly instants: Uint8Array | null;
  /** The one device whose memory counts; null for all. */
  readonly device: number | null;
  /** Summaries count of what lies partly outside this window the time inside; lists show it whole. */
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
 * The part of a trace that reports of a selection cover; all of it for an empty one.
 *
 * @param ranges what the range of a selection is one of; a range that a person named where absent
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
