import type {LaunchSites} from '../attribution/launch-sites.js';
import {stepOfOperations} from '../scope/step-scope.js';
import {lastOperationEnds} from '../scope/step-spans.js';
import {stepsOf, type Step} from '../scope/steps.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';
import {reportTimeNs} from './identity.js';
import {coveredNs} from '../trace/interval-sets.js';
import type {ReportInput} from '../figures/report-input.js';
import type {ReportDefinition, ReportRows} from './report.js';
import type {ReportScope} from '../scope/report-scope.js';
import {coverOfActivities} from '../figures/step-activities.js';
import {amount, numberColumn, textColumn, timeColumn} from './summary.js';

/**
 * `step_breakdown`: where the wall time of each step went. Each moment counts once: for the first activity, in the
 * order of the columns, that was under way.
 *
 * @see docs/metrics.md#step-breakdown
 */
export const stepBreakdown: ReportDefinition = {
  id: 'step_breakdown',
  oldId: null,
  title: 'Step Time Breakdown (steps as in PyTorch’s TensorBoard plugin)',
  options: [],
  details: () => [],
  about: 'steps',
  tabs: [{id: 'step-breakdown', title: 'Step breakdown', row: 'step', after: 'steps'}],
  columns: [
    numberColumn('Step', 'number of the step', {role: 'step'}),
    timeColumn('Start', 'when the step began, or the GPU had finished what came before, whichever is later'),
    timeColumn('Total', 'from there to the end of the step, or of the GPU work that it launched: the later', {
      ...amount,
      parts: ['Kernel', 'Memcpy', 'Memset', 'Communication', 'Runtime', 'DataLoader', 'CPU Exec', 'Other'],
    }),
    timeColumn('Kernel', 'a kernel ran that is not communication'),
    timeColumn('Memcpy', 'no such kernel, but a copy ran'),
    timeColumn('Memset', 'none of these, but a memset ran'),
    timeColumn('Communication', 'none of these, but communication ran: exposed'),
    timeColumn('Runtime', 'the GPU did nothing; the CPU was in a CUDA or HIP call'),
    timeColumn('DataLoader', 'none of these; the CPU waited for the next batch'),
    timeColumn('CPU Exec', 'none of these; the CPU was in an operator or annotated range other than the step'),
    timeColumn('Other', 'none of these'),
    textColumn('Range', 'the range that marks the step', {role: 'range'}),
  ],
  rows: breakdownRows,
};

function breakdownRows({trace, scope, tables}: ReportInput): ReportRows {
  const {slices, strings} = trace;
  const steps = stepsOf(trace);
  const timeOf = reportTimeNs(trace);
  const spans = spansOfSteps(trace, tables.launchSites, steps).map(span => insideWindow(span, scope));
  const covers = new Map<number, ReturnType<typeof coverOfActivities>>();
  // A window contains a step by its span, which may extend past the range that marks it.
  const isInScope = (step: Step, at: number) => scope.ranges?.[step.slice] !== 0 && spans[at] !== null;
  const rows = steps.flatMap((step, at) => (isInScope(step, at) ? [at] : []));
  return {
    length: rows.length,
    cells: row => {
      const {number, process, slice} = steps[rows[row]];
      const {fromNs, toNs} = spans[rows[row]] ?? {fromNs: 0, toNs: 0};
      const cover = getOrAdd(covers, process, () => coverOfActivities(trace, process, scope.operations));
      const upTo = [0, ...cover.map(set => coveredNs(set, fromNs, toNs)), toNs - fromNs];
      const shares = upTo.slice(1).map((ns, at) => ns - upTo[at]);
      return [number, timeOf(fromNs), toNs - fromNs, ...shares, strings.get(slices.name[slice])];
    },
  };
}

/** Returns the part of a span in the scope's window; null if there is none. */
function insideWindow({fromNs, toNs}: Span, scope: ReportScope): Span | null {
  const isOutside = fromNs >= scope.toNs || toNs < scope.fromNs || (toNs === scope.fromNs && toNs > fromNs);
  return isOutside ? null : {fromNs: Math.max(fromNs, scope.fromNs), toNs: Math.min(toNs, scope.toNs)};
}

interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * Returns the spans of steps as the TensorBoard plugin computes them. They differ from `stepSpans` in one case: the
 * first step does not begin before the end of earlier work that no step launched.
 *
 * @see torch_tb_profiler/profiler/event_parser.py, `_update_steps_duration`
 */
function spansOfSteps(trace: Trace, sites: LaunchSites, steps: readonly Step[]): Span[] {
  const {slices, gpuOperations} = trace;
  const stepOf = stepOfOperations(trace, sites);
  const firstNs = new Float64Array(steps.length).fill(Infinity);
  const lastNs = lastOperationEnds(trace, stepOf, steps.length);
  const endNsOf = (operation: number) => {
    const slice = gpuOperations.slice[operation];
    return slices.startNs[slice] + slices.durationNs[slice];
  };
  stepOf.forEach((step, operation) => {
    if (step < 0) return;
    firstNs[step] = Math.min(firstNs[step], slices.startNs[gpuOperations.slice[operation]]);
  });
  const freeFromNs = new Map<number, number>();
  return steps.map((step, at) => {
    const {process} = step;
    const before = getOrAdd(freeFromNs, process, () => {
      let endedNs = -Infinity;
      stepOf.forEach((other, operation) => {
        if (other >= 0 || gpuOperations.process[operation] !== process || endNsOf(operation) >= firstNs[at]) return;
        if (firstNs[at] < Infinity) endedNs = Math.max(endedNs, endNsOf(operation));
      });
      return endedNs;
    });
    const fromNs = Math.max(step.startNs, before);
    const toNs = Math.max(fromNs, step.endNs, lastNs[at]);
    freeFromNs.set(process, toNs);
    return {fromNs, toNs};
  });
}
