import {reportScope} from '../core/scope/report-scope.js';
import {reportsText} from '../core/reports/report-text.js';
import {rangeSummary} from '../core/reports/nvtx-summaries.js';
import {makeReports} from '../core/reports/reports.js';
import {loadReportDetails} from '../importers/report-details.js';
import type {LoadedProfile} from './load-trace.js';

/** The NVTX ranges of a profile with mean and standard deviation, as `nsys stats` has them; "" where there are none. */
export async function nvtxTable({path, trace}: LoadedProfile): Promise<string> {
  const reports = makeReports([{name: rangeSummary.id, definition: rangeSummary, options: []}], {
    trace,
    details: await loadReportDetails(path, trace, new Set(rangeSummary.details([]))),
    scope: reportScope(trace, {}),
    otherRanks: [],
  });
  return reports[0]?.rows.length ? [...reportsText(reports, 'table')].join('') : '';
}
