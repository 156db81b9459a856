import {reportScope} from '../core/queries/report-scope.js';
import {reportsText} from '../core/stats/report-text.js';
import {rangeSummary} from '../core/stats/nvtx-summaries.js';
import {makeReports} from '../core/stats/reports.js';
import {loadReportDetails} from '../importers/report-details.js';
import {loadProfile} from './load-trace.js';

/** The NVTX ranges of a profile with mean and standard deviation, as `nsys stats` has them; "" where there are none. */
export async function nvtxTable(path: string): Promise<string> {
  const {path: readable, trace} = await loadProfile(path);
  const reports = makeReports([{name: rangeSummary.id, definition: rangeSummary, options: []}], {
    trace,
    details: await loadReportDetails(readable, trace, new Set(rangeSummary.details([]))),
    scope: reportScope(trace, {}),
    otherRanks: [],
  });
  return reports[0]?.rows.length ? [...reportsText(reports, 'table')].join('') : '';
}
