import {basename} from 'node:path';
import {reportScope} from '../../core/queries/report-scope.js';
import {makeReports, parseReportRequest, reportDefinitions, type ReportRequest} from '../../core/stats/reports.js';
import {reportsText} from '../../core/stats/report-text.js';
import {loadReportDetails} from '../../importers/report-details.js';
import {UsageError, type Command} from '../command.js';
import {loadProfile} from '../load-trace.js';
import {selectionOf, selectionOptions, selectionUsage} from '../selection.js';

/** What a bare `nsys stats` prints. */
const usualReports = 'nvtx_sum,osrt_sum,cuda_api_sum,cuda_gpu_kern_sum,cuda_gpu_mem_time_sum,cuda_gpu_mem_size_sum';

/** `gpu-lens stats FILE`: the reports of `nsys stats`, and PyTorch's key_averages, of either profiler's files. */
export const statsCommand: Command = {
  name: 'stats',
  usage: `stats FILE [-r REPORT[:OPTION…][,REPORT…]]\n      ${selectionUsage}`,
  summary: helpText(),
  options: {report: {type: 'string', short: 'r'}, ...selectionOptions},
  async run(context, files, options) {
    const [file, ...others] = files;
    if (file === undefined || others.length > 0) throw new UsageError('stats needs one file.');
    const requests = requestsOf(typeof options['report'] === 'string' ? options['report'] : usualReports);
    const selection = selectionOf(options);
    const {path, trace} = await loadProfile(file);
    const wanted = new Set(requests.flatMap(({definition, options: words}) => definition.details(words)));
    const details = await loadReportDetails(path, trace, wanted);
    const reports = makeReports(requests, {trace, details, scope: reportScope(trace, selection)});
    for (const text of reportsText(reports, context.format)) context.write(text);
    reports.forEach(({rows}, at) => {
      if (rows.length === 0)
        context.tell(`SKIPPED: ${basename(file)} does not contain ${requests[at]?.definition.about ?? ''}.`);
    });
    if (context.format === 'table') for (const {text} of trace.notes) context.tell(`Note: ${text}`);
  },
};

function requestsOf(names: string): ReportRequest[] {
  return names.split(',').map(name => {
    const request = parseReportRequest(name.trim());
    if (!request) throw new UsageError(notAReport(name.trim()));
    return request;
  });
}

/** What to say of a name that is no report, or has an option that the report does not take. */
function notAReport(name: string): string {
  const definition = reportDefinitions.find(({id, oldId}) => [id, oldId].includes(name.split(':')[0] ?? ''));
  if (!definition) return `There is no report "${name}": there are ${reportNames()}.`;
  const options = definition.options.map(option => `:${option}`).join(', ');
  return `${definition.id} takes ${options === '' ? 'no options' : options}; not "${name}".`;
}

function reportNames(): string {
  return reportDefinitions.map(({id}) => id).join(', ');
}

/** Help that fits a terminal: a line break after some names. */
function helpText(): string {
  const indent = '\n      ';
  const names = reportNames().replace(/(.{60,100}?,) /g, `$1${indent}`);
  return `reports of nsys stats and of PyTorch, and how the GPUs spent their time; without -r, what a bare nsys stats prints:
      ${names}.
      Reports of kernels take :base, :mangled and :nvtx-name, key_averages an order such as :self_cuda_time_total.`;
}
