import {say} from '../base/say.js';
import type {SystemPreset} from '../estimate/system-presets.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {rangeRows} from '../figures/range-rows.js';
import {stepsOf} from '../scope/steps.js';
import {greatest, least} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import type {Change} from '../what-if/changes/change.js';
import {whatIf, type WhatIfAnswer} from '../what-if/what-if.js';
import {predictGpu} from './predict-gpu.js';

/**
 * GPU work that a range would have in a step, or in the whole recording if it has no steps; predicted, never measured.
 */
export interface PredictedRange {
  readonly name: string;
  readonly predictedGpuWorkNs: number;
  /** Work of its backward operators. */
  readonly predictedBackwardGpuWorkNs: number;
}

/** The parameters of a prediction. */
export interface PredictionChoice {
  /**
   * The number of a step; null for the median of the steps without the first, or for the whole trace if it has
   * no steps.
   */
  readonly step: number | null;
  /** Names of ranges without tags that also count as ranges. */
  readonly automatic: readonly string[];
  /** Further changes to apply to the predicted profile. */
  readonly changes?: readonly Change[];
}

/**
 * A step of a CPU recording as it would be with a GPU. Everything except `measuredNs` and the replay's figures is
 * predicted.
 */
export interface PredictedStep extends WhatIfAnswer {
  readonly system: string;
  /** Per step, ns. */
  readonly predictedGpuWorkNs: number;
  /** The ranges with GPU work, the largest first. */
  readonly ranges: readonly PredictedRange[];
}

/**
 * Returns the time of a step of a CPU recording on a machine with a GPU, with its critical path.
 *
 * @throws TraceError `selection/no-match`, `predicted-gpu/measured`, `predicted-gpu/no-shapes`
 * @see docs/metrics.md#predicted-gpu
 */
export function predictedStep(
  trace: Trace,
  shapes: OperatorShapes,
  preset: SystemPreset,
  {step, automatic, changes = []}: PredictionChoice,
): PredictedStep {
  const predicted = predictGpu(trace, shapes, preset);
  const untold = changes.filter(({text}) => ofKernels.test(text)).map(cannotTell);
  const {measuredNs, replayedNs, errorPercent} = whatIf(predicted.recorded, step);
  const [low, likely, high] = [predicted.fast, predicted.likely, predicted.slow].map(made =>
    whatIf(made, step, changes),
  );
  return {
    system: preset.id,
    measuredNs,
    replayedNs,
    errorPercent,
    ...(changes.length === 0 ? recordedLengths(low, likely, high) : changedLengths(low, likely, high)),
    ...(untold.length > 0 && {predictedNs: null, intervalNs: null}),
    ...predictedRanges(predicted.likely, stepNumbers(predicted.likely, step), automatic),
    criticalPath: likely.criticalPath,
    notes: [...predicted.notes, ...untold, ...likely.notes, ...(changes.length > 0 ? [withoutChanges()] : [])],
  };
}

type Lengths = Pick<WhatIfAnswer, 'predictedNs' | 'intervalNs'>;

/** Returns the lengths in the predicted profile, which contains the prediction as if it had been recorded. */
function recordedLengths(low: WhatIfAnswer, likely: WhatIfAnswer, high: WhatIfAnswer): Lengths {
  const predictedNs = likely.measuredNs;
  return {
    predictedNs,
    intervalNs: [Math.min(low.measuredNs, predictedNs), Math.max(high.measuredNs, predictedNs)],
  };
}

/**
 * Returns the lengths with changes, whose uncertainty adds to the GPU's. If one of the three predictions is unknown, so
 * is the result.
 */
function changedLengths(fast: WhatIfAnswer, likely: WhatIfAnswer, slow: WhatIfAnswer): Lengths {
  const {predictedNs} = likely;
  const intervals = [fast, likely, slow].flatMap(({intervalNs}) => (intervalNs ? [intervalNs] : []));
  if (predictedNs === null || intervals.length < 3) return {predictedNs: null, intervalNs: null};
  return {
    predictedNs,
    intervalNs: [least(intervals.map(([low]) => low)), greatest(intervals.map(([, high]) => high))],
  };
}

/** Changes that depend on the names and precisions of recorded kernels. */
const ofKernels = /^(precision|fuse|attention|at-roof)=/;

function cannotTell({text}: Change): TraceNote {
  const why = say('it depends on the names of recorded kernels, which a prediction does not have');
  return {code: 'what-if/unknown', text: say('{0} cannot be predicted: {1}.', text, why)};
}

const withoutChanges = (): TraceNote => ({
  code: 'predicted-gpu/without-changes',
  text: say('The GPU work of the step and of ranges does not include the changes.'),
});

/** Every step needs a query of all ranges, so of many steps only some are used. */
const mostSteps = 10;

/** Returns the numbers of the predicted steps: if there are several, all but the first, as in `replayWindows`. */
function stepNumbers(trace: Trace, step: number | null): number[] {
  if (step !== null) return [step];
  const numbers = [...new Set(stepsOf(trace).map(({number}) => number))];
  const others = numbers.length > 1 ? numbers.slice(1) : numbers;
  const every = Math.ceil(others.length / mostSteps);
  return others.filter((_, at) => at % every === 0);
}

/** Returns the GPU work of a step and of its ranges, the mean over some steps. */
function predictedRanges(
  trace: Trace,
  steps: readonly number[],
  automatic: readonly string[],
): Pick<PredictedStep, 'predictedGpuWorkNs' | 'ranges'> {
  const stepNames = new Set(stepsOf(trace).map(({slice}) => trace.strings.get(trace.slices.name[slice])));
  const sums = new Map<string, {ns: number; backwardNs: number}>();
  let workNs = 0;
  for (const step of steps) {
    const rows = rangeRows(trace, 'name', {...(automatic.length > 0 && {operators: automatic}), selection: {step}});
    for (const {name, names, gpuWorkNs, backwardGpuWorkNs, gpuSelfNs, backwardGpuSelfNs} of rows) {
      workNs += gpuSelfNs + backwardGpuSelfNs;
      if (names === 0 || stepNames.has(name)) continue;
      const sum = getOrAdd(sums, name, () => ({ns: 0, backwardNs: 0}));
      sum.ns += gpuWorkNs;
      sum.backwardNs += backwardGpuWorkNs;
    }
  }
  const ranges = Array.from(sums, ([name, {ns, backwardNs}]) => ({
    name,
    predictedGpuWorkNs: Math.round(ns / steps.length),
    predictedBackwardGpuWorkNs: Math.round(backwardNs / steps.length),
  }));
  return {
    predictedGpuWorkNs: Math.round(workNs / steps.length),
    ranges: ranges.filter(row => allOf(row) > 0).sort((a, b) => allOf(b) - allOf(a) || (a.name < b.name ? -1 : 1)),
  };
}

function allOf({predictedGpuWorkNs, predictedBackwardGpuWorkNs}: PredictedRange): number {
  return predictedGpuWorkNs + predictedBackwardGpuWorkNs;
}
