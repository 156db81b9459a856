import {template} from '../base/say.js';
import {insideNs} from '../attribution/chosen.js';
import {stackText, type RangeStack} from '../attribution/range-stack.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {attributionOf} from '../scope/attribution-of.js';
import {rangeRows, type RangeRow} from '../figures/range-rows.js';
import {choose, overlaps, selectSlices, type Selection} from '../scope/selection.js';
import {stepOfOperations} from '../scope/step-scope.js';
import {stepSpans} from '../scope/step-spans.js';
import {stepsOf} from '../scope/steps.js';
import type {Cell, Report, ReportColumn, ReportRows} from '../reports/report.js';
import {amount, drawn, numberColumn, tally, textColumn, timeColumn} from '../reports/summary.js';
import type {Trace} from '../trace/trace.js';

type Figure = Exclude<keyof RangeRow, 'name' | 'path' | 'names'>;

const figures: readonly (readonly [key: Figure, column: ReportColumn])[] = [
  ['count', numberColumn('Count', 'number of instances', tally)],
  [
    'gpuWorkNs',
    timeColumn('GPU Work', 'durations of the operations launched inside, on its own thread, summed', drawn),
  ],
  ['gpuSelfNs', timeColumn('GPU Self', 'the part of GPU Work of which it is the innermost range', amount)],
  ['gpuBusyNs', timeColumn('GPU Busy', 'union of those operations, per device')],
  ['gpuSpanNs', timeColumn('GPU Span', 'first start to last end of those operations')],
  [
    'backwardGpuWorkNs',
    timeColumn('Backward GPU Work', 'operations that autograd launched for forward work inside', drawn),
  ],
  ['backwardGpuSelfNs', timeColumn('Backward GPU Self', 'the part of it of which it is the innermost range', tally)],
  ['cpuWallNs', timeColumn('CPU Wall', 'wall time of the instances, summed')],
  ['cpuSelfNs', timeColumn('CPU Self', 'CPU Wall less that of the ranges right inside', tally)],
  ['cpuBlockedNs', timeColumn('CPU Blocked', 'the part of CPU Wall in calls that wait for the GPU')],
  ['ops', numberColumn('GPU Ops', 'number of GPU operations in GPU Work')],
  ['launches', numberColumn('Launches', 'number of calls that launched them')],
];

/** @see docs/metrics.md#range-table */
export const rangeTableColumns: readonly ReportColumn[] = [
  ...figures.map(([, column]) => column),
  textColumn('Range', 'name of the range; work outside ranges has rows of its own', {role: 'range'}),
];

/** The number of names folded into a row; comes before the row's name. */
export const foldedNamesColumn = numberColumn(template('Names'), template('how many names are folded into the row'));

const foldedNames: FurtherColumn = [foldedNamesColumn, ({names}) => names];

/** Shown if any row has one: how much of the row's work was assumed. */
const assumedCount: FurtherColumn = [
  numberColumn(
    template('Assumed'),
    template('operations and instances of which something was assumed: notes say what'),
  ),
  ({assumed}) => assumed,
];

type FurtherColumn = readonly [column: ReportColumn, valueOf: (row: RangeRow) => number];

/** Returns ranges by name with GPU and CPU time, most GPU work first. @throws TraceError `selection/no-match` */
export function rangeTable(trace: Trace, selection: Selection, stack: RangeStack = {}): Report {
  const rows = rangeRows(trace, 'name', {...stack, selection}).filter(
    row => row.count + row.ops + row.backwardOps > 0 || row.gpuSelfNs > 0,
  );
  const isFolded = stack.fold !== undefined;
  const chosen = stackText(stack);
  const last = rangeTableColumns.length - 1;
  const further: readonly FurtherColumn[] = [
    ...(isFolded ? [foldedNames] : []),
    ...(rows.some(({assumed}) => assumed > 0) ? [assumedCount] : []),
  ];
  return {
    name: 'ranges',
    title: chosen === '' ? 'Ranges' : `Ranges (${chosen})`,
    columns: rangeTableColumns.toSpliced(last, 0, ...further.map(([column]) => column)),
    rows: {
      length: rows.length,
      cells: at => {
        return [
          ...figures.map(([key]) => rows[at][key]),
          ...further.map(([, valueOf]) => valueOf(rows[at])),
          rows[at].name,
        ];
      },
      isFolded: at => rows[at].names > 1,
    },
  };
}

/** @see docs/metrics.md#steps */
export const stepColumns: readonly ReportColumn[] = [
  numberColumn('Step', 'number of the step', {role: 'step'}),
  timeColumn('Start', 'start of the step, or end of the step before where that is later'),
  timeColumn(
    'Duration',
    'from there to the end of the step, or of the last GPU operation launched in it, whichever is later',
    amount,
  ),
  timeColumn(
    'GPU Work',
    'durations of the operations launched while the step was open, and no later one, summed',
    drawn,
  ),
  numberColumn('GPU Ops', 'number of those operations'),
  textColumn('Range', 'the range that marks the step', {role: 'range'}),
];

/**
 * Returns the steps of a trace in order.
 *
 * @param choice the kind of the selection's range; the user's ranges if absent
 * @throws TraceError `selection/no-match`
 */
export function stepRows(trace: Trace, selection: Selection, choice?: RangeChoice): ReportRows {
  const {slices, gpuOperations, strings} = trace;
  const attribution = attributionOf(trace, choice);
  const chosen = choose(trace, attribution, selection);
  const {fromNs = -Infinity, toNs = Infinity, step: wanted, ...others} = selection;
  const isChosen = selectSlices(trace, attribution, others);
  const work = stepsOf(trace).map(() => ({ns: 0, count: 0}));
  stepOfOperations(trace, attribution.sites).forEach((step, operation) => {
    if (step < 0 || chosen.operations?.[operation] === 0) return;
    const own = gpuOperations.slice[operation];
    work[step].ns += insideNs(slices.startNs[own], slices.durationNs[own], chosen);
    work[step].count++;
  });
  // A step whose GPU work is in the window belongs to it, even if its range ended before.
  const rows = stepSpans(trace, attribution.sites).flatMap(({startNs, endNs, number, slice}, step) => {
    const isIn = work[step].count > 0 || overlaps(startNs, endNs - startNs, fromNs, toNs);
    if (!isIn || (wanted !== undefined && number !== wanted) || isChosen?.(slice) === false) return [];
    const durationNs = insideNs(startNs, endNs - startNs, chosen);
    return [{number, startNs: Math.min(Math.max(startNs, fromNs), toNs), durationNs, slice, ...work[step]}];
  });
  return {
    length: rows.length,
    cells: (at): Cell[] => {
      const {number, startNs, durationNs, ns, count, slice} = rows[at];
      return [number, startNs, durationNs, ns, count, strings.get(slices.name[slice])];
    },
  };
}
