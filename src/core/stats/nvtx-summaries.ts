import {insideNs} from '../attribution/chosen.js';
import {styleOf, type RangeSet, type RangeStyles} from './range-set.js';
import type {ReportDefinition, ReportInput, ReportRows} from './report.js';
import {durationColumns, summaryRows, textColumn} from './summary.js';

export const noRanges = 'NV Tools Extension (NVTX) data';
export const rangeColumn = textColumn('Range', 'name of the range; a domain other than the default stands before it');
export const styleColumn = textColumn('Style', 'PushPop (record_function too) or StartEnd');

/** `nvtx_sum`: all ranges by name and style. @see docs/metrics.md#nvtx-sum */
export const rangeSummary: ReportDefinition = {
  id: 'nvtx_sum',
  oldId: 'nvtxsum',
  title: 'NVTX Range Summary',
  options: [],
  details: () => ['ranges'],
  about: noRanges,
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), styleColumn, rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: true, startEnd: true}, true),
};

/** `nvtx_pushpop_sum`: ranges of a thread's stack by name. */
export const pushPopSummary: ReportDefinition = {
  ...rangeSummary,
  id: 'nvtx_pushpop_sum',
  oldId: 'nvtxppsum',
  title: 'NVTX Push/Pop Range Summary',
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: true, startEnd: false}, false),
};

/** `nvtx_startend_sum`: ranges between two points of a process by name. */
export const startEndSummary: ReportDefinition = {
  ...rangeSummary,
  id: 'nvtx_startend_sum',
  oldId: 'nvtxsesum',
  title: 'NVTX Start/End Range Summary',
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: false, startEnd: true}, false),
};

function summaryOfRanges(input: ReportInput, {pushPop, startEnd}: RangeStyles, withStyle: boolean): ReportRows {
  const {ranges} = input.tables;
  const {startNs, endNs, isStartEnd, length} = ranges;
  const {groups, groupOf} = groupByNameAndStyle(input, ranges);
  const durationNs = new Float64Array(length);
  for (let range = 0; range < length; range++) {
    durationNs[range] = insideNs(startNs[range], endNs[range] - startNs[range], input.scope);
    if (isStartEnd[range] === 1 ? !startEnd : !pushPop) groupOf[range] = -1;
  }
  return summaryRows(durationNs, {groupOf, length: groups.length}, group =>
    withStyle ? [groups[group].style, groups[group].name] : [groups[group].name],
  );
}

/** The groups of ranges by name and style, in the order in which they first come. */
export function groupByNameAndStyle(
  {trace}: ReportInput,
  ranges: RangeSet,
): {groups: {name: string; style: string}[]; groupOf: Int32Array} {
  const {slices, strings} = trace;
  const groups: {name: string; style: string}[] = [];
  // Two numbers a name: push/pop and start/end.
  const known = new Int32Array(2 * strings.length).fill(-1);
  const groupOf = new Int32Array(ranges.length);
  for (let range = 0; range < ranges.length; range++) {
    const name = slices.name[ranges.slice[range]];
    const key = 2 * name + ranges.isStartEnd[range];
    if (known[key] < 0) known[key] = groups.push({name: strings.get(name), style: styleOf(ranges, range)}) - 1;
    groupOf[range] = known[key];
  }
  return {groups, groupOf};
}
