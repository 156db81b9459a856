// Opens one file, makes all of nsys's summary reports, and prints the time of each as one line of JSON; run in a
// separate process by scripts/bench.mjs.
import {attributionOf} from '../../src/core/scope/attribution-of.js';
import type {DetailKind} from '../../src/core/figures/report-details.js';
import {makeReports, parseReportRequest} from '../../src/core/reports/reports.js';
import {wholeTrace} from '../../src/core/scope/report-scope.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {peakResidentBytes} from './peak-memory.js';

const summaries = [
  'nvtx_sum',
  'nvtx_pushpop_sum',
  'nvtx_startend_sum',
  'nvtx_gpu_proj_sum',
  'nvtx_kern_sum',
  'cuda_gpu_kern_sum',
  'cuda_gpu_kern_gb_sum',
  'cuda_gpu_sum',
  'cuda_gpu_mem_time_sum',
  'cuda_gpu_mem_size_sum',
  'cuda_api_sum',
  'cuda_api_gpu_sum',
  'cuda_kern_exec_sum',
  'osrt_sum',
];

const [, , path = ''] = process.argv;
const begin = performance.now();
const trace = await openTrace(path);
attributionOf(trace);
const opened = performance.now();
const requests = summaries.map(name => {
  const request = parseReportRequest(name);
  if (!request) throw new Error(`There is no report ${name}.`);
  return request;
});
const wanted = new Set(requests.flatMap(({definition, options}): readonly DetailKind[] => definition.details(options)));
const details = await loadReportDetails(path, trace, wanted);
const loaded = performance.now();
let cells = 0;
for (const {rows} of makeReports(requests, {trace, details, scope: wholeTrace})) {
  for (let row = 0; row < rows.length; row++) cells += rows.cells(row).length;
}
const answered = performance.now();
const figures = {
  openMs: opened - begin,
  detailsMs: loaded - opened,
  reportsMs: answered - loaded,
  allMs: answered - begin,
  cells,
  peakBytes: peakResidentBytes(),
};
process.stdout.write(`${JSON.stringify(figures)}\n`);
