import type {SystemPreset} from '../estimate/system-presets.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {rangeRows} from '../figures/range-rows.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace} from '../trace/trace.js';
import type {Change} from '../what-if/changes/change.js';
import {whatIf, type WhatIfAnswer} from '../what-if/what-if.js';
import {predictGpu} from './predict-gpu.js';

/** GPU work that a range would have in a step, or in the whole profile where it has no steps; never measured. */
export interface PredictedRange {
  readonly name: string;
  readonly predictedGpuWorkNs: number;
  /** Of the backward operators that belong to it. */
  readonly predictedBackwardGpuWorkNs: number;
}

/** What a prediction is asked for. */
export interface PredictionChoice {
  /** A step by its number; null for the median of the complete steps but the first, or of a trace without steps for the whole. */
  readonly step: number | null;
  /** Names of ranges that nobody tagged, which count as ranges, too. */
  readonly automatic: readonly string[];
  /** What else is different. */
  readonly changes: readonly Change[];
}

/** A step of a recording of the CPU as it would be with a GPU. Everything but `measuredNs` and the replay's is predicted. */
export interface PredictedStep extends WhatIfAnswer {
  readonly system: string;
  /** Of a step, ns. */
  readonly predictedGpuWorkNs: number;
  /** The ranges with GPU work, the largest first. */
  readonly ranges: readonly PredictedRange[];
}

/**
 * What a step of a recording of the CPU would take on a machine with a GPU, with the critical path that it would have.
 *
 * @throws TraceError `selection/no-match`, `predicted-gpu/measured`, `predicted-gpu/no-shapes`
 * @see docs/metrics.md#predicted-gpu
 */
export function predictedStep(
  trace: Trace,
  shapes: OperatorShapes,
  preset: SystemPreset,
  {step, automatic, changes}: PredictionChoice,
): PredictedStep {
  const predicted = predictGpu(trace, shapes, preset);
  const {measuredNs, replayedNs, errorPercent} = whatIf(trace, step);
  const [low, likely, high] = [predicted.fast, predicted.likely, predicted.slow].map(made =>
    whatIf(made, step, changes),
  );
  const isTold = likely.predictedNs !== null;
  const lowNs = low.intervalNs?.[0] ?? likely.measuredNs;
  const highNs = high.intervalNs?.[1] ?? likely.measuredNs;
  return {
    system: preset.id,
    measuredNs,
    replayedNs,
    errorPercent,
    predictedNs: likely.predictedNs,
    intervalNs: isTold ? [lowNs, highNs] : null,
    ...predictedRanges(predicted.likely, step, automatic),
    criticalPath: likely.criticalPath,
    notes: [...predicted.notes, ...likely.notes],
  };
}

function predictedRanges(
  trace: Trace,
  step: number | null,
  automatic: readonly string[],
): Pick<PredictedStep, 'predictedGpuWorkNs' | 'ranges'> {
  const steps = stepsOf(trace);
  const stepNames = new Set(steps.map(({slice}) => trace.strings.get(trace.slices.name[slice])));
  const count = step === null ? Math.max(1, steps.length) : 1;
  const selection = step === null ? {} : {step};
  const rows = rangeRows(trace, 'name', {...(automatic.length > 0 && {operators: automatic}), selection});
  const workNs = rows.reduce((sum, row) => sum + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
  const ranges = rows
    .filter(({name, names}) => names > 0 && !stepNames.has(name))
    .map(({name, gpuWorkNs, backwardGpuWorkNs}) => ({
      name,
      predictedGpuWorkNs: Math.round(gpuWorkNs / count),
      predictedBackwardGpuWorkNs: Math.round(backwardGpuWorkNs / count),
    }))
    .filter(row => allOf(row) > 0)
    .sort((a, b) => allOf(b) - allOf(a) || (a.name < b.name ? -1 : 1));
  return {predictedGpuWorkNs: Math.round(workNs / count), ranges};
}

function allOf({predictedGpuWorkNs, predictedBackwardGpuWorkNs}: PredictedRange): number {
  return predictedGpuWorkNs + predictedBackwardGpuWorkNs;
}
