import type {RangeStyles} from '../figures/range-set.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportDefinition, ReportRows} from './report.js';
import {durationColumns, statisticsRows, textColumn} from './summary.js';

export const noRanges = 'NV Tools Extension (NVTX) data';
export const rangeColumn = textColumn('Range', 'name of the range; a domain other than the default stands before it', {
  role: 'range',
});
export const styleColumn = textColumn('Style', 'PushPop (record_function too) or StartEnd');

/** `nvtx_sum`: all ranges by name and style. @see docs/metrics.md#nvtx-sum */
export const rangeSummary: ReportDefinition = {
  id: 'nvtx_sum',
  oldId: 'nvtxsum',
  title: 'NVTX Range Summary',
  isOfRanges: true,
  options: [],
  details: () => ['ranges'],
  about: noRanges,
  tabs: [
    {id: 'nvtx', title: 'NVTX summary', row: 'range', after: 'ranges', about: 'tagged ranges (NVTX, record_function)'},
  ],
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), styleColumn, rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: true, startEnd: true}, true),
};

/** `nvtx_pushpop_sum`: ranges of a thread's stack by name. */
export const pushPopSummary: ReportDefinition = {
  ...rangeSummary,
  id: 'nvtx_pushpop_sum',
  oldId: 'nvtxppsum',
  title: 'NVTX Push/Pop Range Summary',
  tabs: [],
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: true, startEnd: false}, false),
};

/** `nvtx_startend_sum`: ranges between two points of a process by name. */
export const startEndSummary: ReportDefinition = {
  ...rangeSummary,
  id: 'nvtx_startend_sum',
  oldId: 'nvtxsesum',
  title: 'NVTX Start/End Range Summary',
  tabs: [],
  columns: [...durationColumns({of: 'ranges', count: 'Instances'}), rangeColumn],
  rows: input => summaryOfRanges(input, {pushPop: false, startEnd: true}, false),
};

function summaryOfRanges({tables}: ReportInput, {pushPop, startEnd}: RangeStyles, withStyle: boolean): ReportRows {
  const {groups, statistics} = tables.rangeStatistics;
  return statisticsRows(
    statistics,
    group => (withStyle ? [groups[group].style, groups[group].name] : [groups[group].name]),
    group => (groups[group].isStartEnd ? startEnd : pushPop),
  );
}
