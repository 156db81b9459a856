import {reportInput} from '../../src/core/figures/report-input.js';
import type {ReportInput} from '../../src/core/figures/report-input.js';
import {wholeTrace} from '../../src/core/scope/report-scope.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {openTrace} from '../../src/importers/open-trace.js';

/** Returns the input of a file's roofline. */
export async function rooflineInput(path: string): Promise<ReportInput> {
  const trace = await openTrace(path);
  const details = await loadReportDetails(path, trace, new Set(['shapes']));
  return reportInput({trace, details, scope: wholeTrace});
}
