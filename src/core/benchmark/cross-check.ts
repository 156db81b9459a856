import {differenceOf} from '../compare/step-difference.js';
import {stepStatistics, type StepStatistics} from './step-statistics.js';

/** Who watched the same steps: nobody but a clock, the PyTorch profiler, or Nsight Systems. */
export const watchers = ['timer', 'pytorch', 'nsys'] as const;
export type Watcher = (typeof watchers)[number];

/** What one of the runs of a cross-check told. */
export interface WatchedRun {
  readonly watcher: Watcher;
  /** Each measured step by the clock, the GPU idle at both ends; none where the run told none. */
  readonly stepNs: readonly number[];
  /** The same by CUDA events in the stream; null without CUDA. */
  readonly eventNs: readonly number[] | null;
  /** GPU work of one step by what the profiler recorded; null where nobody recorded any. */
  readonly gpuWorkNs: number | null;
  readonly profile: string | null;
  /** Why there are no figures, a sentence; null where there are. */
  readonly reason: string | null;
}

/** One watcher's figures beside the timer's. Times are of one step, in ns; null is what is not known. */
export interface CrossCheckRow extends WatchedRun {
  readonly steps: number;
  readonly meanNs: number | null;
  /** Of the sample (n − 1). */
  readonly stdNs: number | null;
  readonly minNs: number | null;
  readonly eventMeanNs: number | null;
  /** What the mean step takes longer than the timer's, as a part of that; below 0 where noise is larger. */
  readonly overheadPercent: number | null;
  /** Half of the interval that holds the true overhead with 95 % confidence; an overhead below it says nothing. */
  readonly noisePercent: number | null;
}

/** The runs side by side, each with its overhead against the timer. @see docs/metrics.md#cross-check */
export function crossCheckRows(runs: readonly WatchedRun[]): CrossCheckRow[] {
  const timer = runs.find(({watcher}) => watcher === 'timer');
  const plain = timer ? stepStatistics(timer.stepNs) : null;
  return runs.map(run => ({
    ...run,
    ...figuresOf(run),
    ...(run.watcher === 'timer' || !timer || !plain ? noOverhead : overhead(run, timer, plain)),
  }));
}

type Overhead = Pick<CrossCheckRow, 'overheadPercent' | 'noisePercent'>;
const noOverhead: Overhead = {overheadPercent: null, noisePercent: null};

function figuresOf({stepNs, eventNs}: WatchedRun): Omit<CrossCheckRow, keyof WatchedRun | keyof Overhead> {
  const statistics = stepStatistics(stepNs);
  return {
    steps: stepNs.length,
    meanNs: statistics?.meanNs ?? null,
    stdNs: statistics?.stdNs ?? null,
    minNs: statistics?.minNs ?? null,
    eventMeanNs: stepStatistics(eventNs ?? [])?.meanNs ?? null,
  };
}

function overhead({stepNs}: WatchedRun, timer: WatchedRun, plain: StepStatistics): Overhead {
  const own = stepStatistics(stepNs);
  if (!own || plain.meanNs <= 0) return noOverhead;
  return {
    overheadPercent: (100 * (own.meanNs - plain.meanNs)) / plain.meanNs,
    noisePercent: noisePercent(own, stepNs.length, plain, timer.stepNs.length),
  };
}

function noisePercent(own: StepStatistics, steps: number, plain: StepStatistics, plainSteps: number): number | null {
  const figure = ({meanNs, stdNs}: StepStatistics, count: number) => ({
    ...{meanNs, deviationNs: stdNs ?? NaN, steps: count},
  });
  const difference = differenceOf(figure(own, steps), figure(plain, plainSteps));
  return difference && 100 * difference.noiseFraction;
}
