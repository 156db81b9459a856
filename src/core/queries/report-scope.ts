import {wholeTrace, type ReportScope} from '../stats/report-source.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {rowMask} from '../table/row-mask.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from './ranges.js';
import {selectInstants, selectOperations, selectSlices, type Selection} from './selection.js';

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
