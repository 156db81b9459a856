import {stepOfOperations} from '../queries/step-scope.js';
import {stepsOf, type Step} from '../queries/steps.js';
import {getOrAdd} from '../table/get-or-add.js';
import {reportTimeNs} from './identity.js';
import {coveredNs} from './interval-sets.js';
import type {ReportDefinition, ReportInput, ReportRows} from './report.js';
import {coverOfActivities} from './step-activities.js';
import {numberColumn, textColumn, timeColumn} from './summary.js';

/**
 * `step_breakdown`: where the wall time of each step went, each moment once: to the first in the order of the columns
 * that was under way.
 *
 * @see docs/metrics.md#step-breakdown
 */
export const stepBreakdown: ReportDefinition = {
  id: 'step_breakdown',
  oldId: null,
  title: 'Step Time Breakdown',
  options: [],
  details: () => [],
  about: 'steps',
  columns: [
    numberColumn('Step', 'number of the step'),
    timeColumn('Start', 'when the step began, or the GPU had finished the one before'),
    timeColumn('Total', 'from there to the end of the step, or of the GPU work that it launched: the later'),
    timeColumn('Kernel', 'a kernel ran that is not communication'),
    timeColumn('Memcpy', 'no such kernel, but a copy ran'),
    timeColumn('Memset', 'none of these, but a memset ran'),
    timeColumn('Communication', 'none of these, but communication ran: exposed'),
    timeColumn('Runtime', 'the GPU did nothing; the CPU was in a CUDA or HIP call'),
    timeColumn('DataLoader', 'none of these; the CPU waited for the next batch'),
    timeColumn('CPU Exec', 'none of these; the CPU was in an operator or annotated range other than the step'),
    timeColumn('Other', 'none of these'),
    textColumn('Range', 'the range that marks the step'),
  ],
  rows: breakdownRows,
};

function breakdownRows(input: ReportInput): ReportRows {
  const {slices, strings} = input.trace;
  const steps = stepsOf(input.trace);
  const isInScope = ({slice}: Step) => input.scope.slices === null || input.scope.slices[slice] === 1;
  const timeOf = reportTimeNs(input.trace);
  const spans = spansOfSteps(input, steps);
  const covers = new Map<number, ReturnType<typeof coverOfActivities>>();
  const rows = steps.flatMap((step, at) => (isInScope(step) ? [at] : []));
  return {
    length: rows.length,
    cells: row => {
      const {number, process, slice} = steps[rows[row]];
      const {fromNs, toNs} = spans[rows[row]];
      const cover = getOrAdd(covers, process, () => coverOfActivities(input.trace, process));
      const upTo = [0, ...cover.map(set => coveredNs(set, fromNs, toNs)), toNs - fromNs];
      const shares = upTo.slice(1).map((ns, at) => ns - upTo[at]);
      return [number, timeOf(fromNs), toNs - fromNs, ...shares, strings.get(slices.name[slice])];
    },
  };
}

interface Span {
  readonly fromNs: number;
  readonly toNs: number;
}

/**
 * Steps with the GPU's work in them: each ends with the last operation that it launched, and begins where the one before
 * has ended; the first not before work has ended that no step launched.
 *
 * @see torch_tb_profiler/profiler/event_parser.py, `_update_steps_duration`
 */
function spansOfSteps(input: ReportInput, steps: readonly Step[]): Span[] {
  const {slices, gpuOperations} = input.trace;
  const stepOf = stepOfOperations(input.trace, input.tables.launchSites);
  const firstNs = new Float64Array(steps.length).fill(Infinity);
  const lastNs = new Float64Array(steps.length).fill(-Infinity);
  const endNsOf = (operation: number) => {
    const slice = gpuOperations.slice[operation];
    return slices.startNs[slice] + slices.durationNs[slice];
  };
  stepOf.forEach((step, operation) => {
    if (step < 0) return;
    firstNs[step] = Math.min(firstNs[step], slices.startNs[gpuOperations.slice[operation]]);
    lastNs[step] = Math.max(lastNs[step], endNsOf(operation));
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
