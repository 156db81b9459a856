import {say} from '../base/say.js';
import {processChoices, type ProcessChoice} from '../scope/processes.js';
import {otherRankSources, type OtherRank} from '../figures/other-ranks.js';
import {reportScope} from '../scope/report-scope.js';
import {rangeChoiceOf, stackChoices, type RangeStack, type StackChoices} from '../attribution/range-stack.js';
import type {Selection} from '../scope/selection.js';
import {stepsOf} from '../scope/steps.js';
import {reportInput} from '../figures/report-input.js';
import type {DetailKind, ReportDetails} from '../figures/report-details.js';
import type {Report, ReportColumn, ReportRows} from '../reports/report.js';
import {makeReports} from '../reports/reports.js';
import {textReports} from '../reports/text-reports.js';
import type {ModuleClasses} from '../source/module-forward.js';
import {isPyTorchRange} from '../source/pytorch-ranges.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {rangeKernelColumns, rangeKernelRows} from './range-kernels.js';
import {rangeTable, stepColumns, stepRows} from './range-table.js';
import {isEmptyTab, isTabOfRanges, rangesTab, reportOfTab, stepsTab, traceTabs, type TableTab} from './tab-list.js';

const textPrefix = 'text/';

/** Returns the tables of a profile: for a trace always the same, for a text its own. */
export function tableTabs(trace: Trace): TableTab[] {
  if (trace.textTables.length > 0) {
    return textReports(trace.textTables).map(({name, title}, at) => ({
      id: textPrefix + String(at),
      title: name,
      row: 'plain',
      about: title,
    }));
  }
  return traceTabs.map(tab => ({
    ...tab,
    ...(isTabOfRanges(tab.id) && {isOfRanges: true}),
    ...(isEmptyTab(trace, tab.id) && {isEmpty: true}),
  }));
}

/**
 * Returns the id of the tab to show first: ranges if the user named any, else kernels, else operators, else the first
 * with rows.
 *
 * @param tabs the tabs of the trace, at least one
 */
export function firstTab(trace: Trace, tabs: readonly TableTab[]): string {
  const wanted = hasOwnRanges(trace) ? rangesTab.id : trace.gpuOperations.length > 0 ? 'kernels' : 'operators';
  const first = [wanted, 'operators'].map(id => tabs.find(tab => tab.id === id && !tab.isEmpty)).find(Boolean);
  return (first ?? tabs.find(({isEmpty}) => !isEmpty) ?? tabs[0]).id;
}

/** Returns whether the user named a range: PyTorch's own, such as `ProfilerStep#3`, are in every profile. */
function hasOwnRanges({slices, strings}: Trace): boolean {
  const isTagged = kindMask(taggedRangeKinds);
  const seen = new Set<number>();
  for (let row = 0; row < slices.length; row++) {
    const name = slices.name[row];
    if (isTagged[slices.kind[row]] !== 1 || seen.has(name)) continue;
    seen.add(name);
    if (!isPyTorchRange(strings.get(name))) return true;
  }
  return false;
}

/** The choices by which the tables can be limited. */
export interface TableChoices {
  readonly threads: readonly {readonly track: number; readonly name: string}[];
  readonly devices: readonly number[];
  readonly steps: readonly number[];
  /** The number of steps; greater than the length of `steps` if there are too many for a list. */
  readonly stepCount: number;
  readonly processes: readonly ProcessChoice[];
  /** The possible kinds of ranges. */
  readonly stack: StackChoices;
}

/** Returns the threads, devices, steps and processes of a trace. If there are too many steps, only some are listed. */
export function tableChoices(trace: Trace): TableChoices {
  const threads = trace.tracks.flatMap(({kind, name}, track) => (kind === 'thread' ? [{track, name}] : []));
  const steps = [...new Set(stepsOf(trace).map(({number}) => number))];
  return {
    threads,
    devices: trace.devices.map(({id}) => id),
    steps: steps.slice(0, mostSteps),
    stepCount: steps.length,
    processes: processChoices(trace),
    stack: stackChoices(trace),
  };
}

const mostSteps = 1000;

/** Returns what must be read from the file for a tab, in addition to the trace. */
export function tabDetails(tab: string): readonly DetailKind[] {
  const request = reportOfTab(tab);
  return request ? request.definition.details(request.options) : [];
}

/** Further input of a table. */
export interface TableExtras {
  /** Files of other ranks, for a tab that needs `otherRanks`. */
  readonly others?: readonly OtherRank[];
  /** Lines of compiled kernels by name, for a tab that needs `kernelLines`. */
  readonly kernelLines?: ReadonlyMap<string, readonly string[]>;
  /** Classes of modules, for a tab that needs `moduleClasses`. */
  readonly moduleClasses?: ModuleClasses;
  /** What counts as a range, if rows are ranges or a range is selected. */
  readonly stack?: RangeStack;
}

/**
 * Returns the report behind a tab. The kernels of a range are in a report of their own, with separate figures for
 * forward and backward.
 *
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`, `ranks/other-job`; RangeError if there is no
 *   such tab
 */
export function tableReport(
  trace: Trace,
  tab: string,
  selection: Selection,
  details: ReportDetails,
  {others = [], kernelLines = new Map(), moduleClasses = {}, stack = {}}: TableExtras = {},
): Report {
  if (tab.startsWith(textPrefix)) return textReports(trace.textTables)[textNumber(tab, trace)];
  if (tab === rangesTab.id) return rangeTable(trace, selection, stack);
  const choice = rangeChoiceOf(stack);
  if (tab === stepsTab.id) return reportOf('steps', 'Steps', stepColumns, stepRows(trace, selection, choice));
  const {range, ...narrowed} = selection;
  if (tab === 'kernels' && range !== undefined) {
    const input = reportInput({trace, details, scope: reportScope(trace, narrowed, choice)});
    return reportOf(
      'range_kernels',
      say('Kernels of {0}', range),
      rangeKernelColumns,
      rangeKernelRows(input, range, choice),
    );
  }
  const request = reportOfTab(tab);
  if (!request) throw new RangeError(`There is no table "${tab}".`);
  const otherRanks = otherRankSources(trace, others, selection, choice);
  const scope = reportScope(trace, selection, choice);
  const [report] = makeReports([request], {trace, details, scope, otherRanks, kernelLines, moduleClasses, stack});
  return report;
}

function textNumber(tab: string, trace: Trace): number {
  const at = Number(tab.slice(textPrefix.length));
  if (!Number.isInteger(at) || at < 0 || at >= trace.textTables.length) throw new RangeError('There is no such table.');
  return at;
}

function reportOf(name: string, title: string, columns: readonly ReportColumn[], rows: ReportRows): Report {
  return {name, title, columns, rows};
}
