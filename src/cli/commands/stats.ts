import {basename} from 'node:path';
import {rangeChoiceOf, type RangeStack} from '../../core/attribution/range-stack.js';
import {otherRankSources, type OtherRank} from '../../core/figures/other-ranks.js';
import {reportScope} from '../../core/scope/report-scope.js';
import type {DetailKind} from '../../core/figures/report-details.js';
import {
  isOfRanges,
  makeReports,
  parseReportRequest,
  reportDefinitions,
  type ReportRequest,
} from '../../core/reports/reports.js';
import {compiledSummary} from '../../core/reports/compiled-regions-report.js';
import {moduleSummary} from '../../core/reports/module-report.js';
import {reportsText} from '../../core/reports/report-text.js';
import {readSidecar} from '../../launch/run/sidecar-file.js';
import type {Report} from '../../core/reports/report.js';
import {loadReportDetails} from '../../importers/report-details.js';
import {textReports, textReportsCalled} from '../../core/reports/text-reports.js';
import {classesOfModules, type ModuleClasses} from '../../core/source/module-forward.js';
import {kernelLines} from '../../core/source/sidecar.js';
import {lossNotes} from '../../core/trace/loss-notes.js';
import {isText} from '../../core/trace/text-table.js';
import type {Trace} from '../../core/trace/trace.js';
import {isStackChosen, requireStackOf, stackOf, stackOptions, stackUsage} from '../range-stack.js';
import {UsageError, type Command, type CommandContext} from '../command.js';
import {kernelSitesOfProfile} from '../compiled-graphs.js';
import {loadProfile, type LoadedProfile} from '../load-trace.js';
import {
  refuseSelectionOfText,
  requireOriginOf,
  passOption,
  passUsage,
  selectionOptions,
  selectionUsage,
  selectionWithPass,
} from '../selection.js';

/** The reports that `nsys stats` prints by default. */
const usualReports = [
  'nvtx_sum',
  'osrt_sum',
  'cuda_api_sum',
  'cuda_gpu_kern_sum',
  'cuda_gpu_mem_time_sum',
  'cuda_gpu_mem_size_sum',
];

/** Names that only tables of texts have: a numbered table, a benchmark, the events view. */
const textNames = /[@#]|^(benchmark|nsys_events)$/;

/** `gpu-lens stats FILE`: the reports of `nsys stats`, and PyTorch's key_averages, of either profiler's files. */
export const statsCommand: Command = {
  name: 'stats',
  brief: 'Reports: those of nsys stats, those of PyTorch, and our own',
  readsProfiles: true,
  showsNotes: true,
  usage: `stats FILE [OTHER-RANK…] [-r REPORT[:OPTION…][,REPORT…]]\n      ${stackUsage}\n      ${selectionUsage} ${passUsage}`,
  summary: helpText(),
  options: {report: {type: 'string', short: 'r'}, ...stackOptions, ...passOption, ...selectionOptions},
  async run(context, files, options) {
    const [file, ...otherFiles] = files;
    if (file === undefined) throw new UsageError('stats needs a file.');
    const names = typeof options['report'] === 'string' ? options['report'].split(',').map(name => name.trim()) : null;
    const isOfText = names?.some(name => textNames.test(name)) === true;
    const requests = isOfText ? [] : requestsOf(names ?? usualReports);
    const selection = selectionWithPass(options);
    const stack = stackFor(requests, options);
    const profile = await loadProfile(file);
    const {path, trace} = profile;
    refuseSelectionOfText(trace, selection);
    requireOriginOf(trace, selection);
    requireStackOf(trace, stack);
    if (isText(trace)) {
      if (otherFiles.length > 0)
        throw new UsageError('Tables of a text have no ranks: stats takes one text at a time.');
      writeTextReports(context, trace, names);
      return;
    }
    if (isOfText) throw new UsageError(`${basename(file)} is not a text: its reports are ${reportNames()}.`);
    const wanted = new Set(requests.flatMap(({definition, options: words}) => definition.details(words)));
    const details = await loadReportDetails(path, trace, wanted);
    const choice = rangeChoiceOf(stack);
    const others = await otherRanksIn(otherFiles, wanted);
    const otherRanks = otherRankSources(trace, others, selection, choice);
    const reports = makeReports(requests, {
      ...{trace, details, scope: reportScope(trace, selection, choice), otherRanks, stack},
      kernelLines: await linesFor(requests, file, profile),
      moduleClasses: await classesFor(requests, file),
    });
    for (const text of reportsText(reports, context.format)) context.write(text);
    const part = Object.keys(selection).length === 0 ? '' : 'what was selected of ';
    tellSkipped(context, reports, requests, `${part}${basename(file)}`);
    tellFooters(context, reports);
    tellNotes(context, trace, others);
  },
};

/** Says which reports are empty, and why. @param part what they are of */
function tellSkipped(
  context: CommandContext,
  reports: readonly Report[],
  requests: readonly ReportRequest[],
  part: string,
): void {
  reports.forEach(({rows}, at) => {
    if (rows.length > 0) return;
    context.tell(`SKIPPED: ${part} does not contain ${rows.absent ?? requests[at]?.definition.about ?? ''}.`);
  });
}

/** Tells the notes of a profile, and those of other ranks with their files. */
function tellNotes(context: CommandContext, {notes}: Trace, others: readonly OtherRank[]): void {
  for (const {text} of notes) context.tellNote(text);
  for (const {name, trace} of others) for (const {text} of trace.notes) context.tellNote(`${name}: ${text}`);
}

/** The text below a report's table; nsys's layouts have no place for it. */
function tellFooters(context: CommandContext, reports: readonly Report[]): void {
  if (context.format !== 'table') return;
  for (const {rows, layout} of reports) {
    if (rows.length === 0 || layout) continue;
    for (const line of rows.footer ?? []) context.tell(line);
  }
}

/** Returns the lines of compiled kernels, if the runner or Inductor saved them and a report shows them. */
async function linesFor(
  requests: readonly ReportRequest[],
  file: string,
  profile: LoadedProfile,
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (!requests.some(({definition}) => definition.id === compiledSummary.id)) return new Map();
  const sidecar = await readSidecar(file);
  return kernelLines({kernels: await kernelSitesOfProfile(file, sidecar, () => Promise.resolve(profile))});
}

/** Returns the classes of modules, if the runner saved them and a report shows them. */
async function classesFor(requests: readonly ReportRequest[], file: string): Promise<ModuleClasses> {
  if (!requests.some(({definition}) => definition.id === moduleSummary.id)) return {};
  return classesOfModules((await readSidecar(file))?.modules ?? []);
}

async function otherRanksIn(files: readonly string[], wanted: ReadonlySet<DetailKind>): Promise<OtherRank[]> {
  const others: OtherRank[] = [];
  for (const file of files) {
    const {path, trace} = await loadProfile(file);
    others.push({name: basename(file), trace, details: await loadReportDetails(path, trace, wanted)});
  }
  return others;
}

function requestsOf(names: readonly string[]): ReportRequest[] {
  return names.map(name => {
    const request = parseReportRequest(name);
    if (!request) throw new UsageError(notAReport(name));
    return request;
  });
}

/** Returns the tables of a text: all, or the requested ones. */
function writeTextReports(context: CommandContext, trace: Trace, names: readonly string[] | null): void {
  const all = textReports(trace.textTables);
  const reports = names === null ? all : names.flatMap(name => textReportsCalled(all, name));
  for (const text of reportsText(reports, context.format)) context.write(text);
  for (const name of names ?? []) {
    if (textReportsCalled(all, name).length > 0) continue;
    context.tell(`SKIPPED: the text has no table ${name}; it has ${all.map(report => report.name).join(', ')}.`);
  }
  const {notes} = trace;
  for (const {text} of context.format === 'table' ? notes : lossNotes(notes)) context.tellNote(text);
}

/** Returns the error for a name that is no report, or that has an option that the report does not take. */
function notAReport(name: string): string {
  const definition = reportDefinitions.find(({id, oldId}) => [id, oldId].includes(name.split(':')[0] ?? ''));
  if (!definition) return `There is no report "${name}": there are ${reportNames()}.`;
  const numbered = (definition.numberOptions ?? []).map(option => `${option}=N`);
  const options = [...definition.options, ...numbered].map(option => `:${option}`).join(', ');
  return `${definition.id} takes ${options === '' ? 'no options' : options}; not "${name}".`;
}

/** Returns the slices that count as ranges. @throws UsageError if no report is about ranges */
function stackFor(requests: readonly ReportRequest[], options: Parameters<typeof stackOf>[0]): RangeStack {
  const stack = stackOf(options);
  if (!isStackChosen(stack) || requests.some(isOfRanges)) return stack;
  const ids = reportDefinitions.filter(definition => definition.isOfRanges === true).map(({id}) => id);
  throw new UsageError(`--kinds, --domain and --fold are of reports of ranges: ${ids.join(', ')}.`);
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
      Reports of kernels take :base, :mangled and :nvtx-name. key_averages takes :group_by_input_shape, :group_by_stack_n=N,
      :python (rows for Python functions, too) and an order such as :self_cuda_time_total.`;
}
