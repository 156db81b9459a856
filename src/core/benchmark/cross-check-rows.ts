import {isMeasurable, medianChange, noiseOf} from '../compare/median-change.js';
import {stepStatistics} from './step-statistics.js';

/** What measured the same steps: only a clock, the PyTorch profiler, or Nsight Systems. */
export const watchers = ['timer', 'pytorch', 'nsys'] as const;
export type Watcher = (typeof watchers)[number];

/** The figures of one run of a cross-check. */
export interface WatchedRun {
  readonly watcher: Watcher;
  /** Each measured step by the clock, with an idle GPU at both ends; empty if the run reported none. */
  readonly stepNs: readonly number[];
  /** The same by CUDA events in the stream; null without CUDA. */
  readonly eventNs: readonly number[] | null;
  /** GPU work of one step according to the profiler; null if none was recorded. */
  readonly gpuWorkNs: number | null;
  readonly profile: string | null;
  /** A sentence with the reason why there are no figures; null if there are. */
  readonly reason: string | null;
}

/** The figures of one measurement next to the timer's. Times are of one step, in ns; null if unknown. */
export interface CrossCheckRow extends WatchedRun {
  readonly steps: number;
  readonly meanNs: number | null;
  /** Of the sample (n − 1). */
  readonly stdNs: number | null;
  readonly minNs: number | null;
  readonly eventMeanNs: number | null;
  readonly medianNs: number | null;
  /** How much longer the median step takes than the timer's, in percent of that; negative if noise is larger. */
  readonly overheadPercent: number | null;
  /**
   * Half of the interval from `overheadLowPercent` to `overheadHighPercent`; null if there are too few steps for one.
   */
  readonly noisePercent: number | null;
  readonly overheadLowPercent: number | null;
  readonly overheadHighPercent: number | null;
  /** Whether the overhead is measurable; null if there is none. @see docs/metrics.md#median-change */
  readonly isMeasurable: boolean | null;
}

/** Returns the runs side by side, each with its overhead over the timer. @see docs/metrics.md#cross-check */
export function crossCheckRows(runs: readonly WatchedRun[]): CrossCheckRow[] {
  const timer = runs.find(({watcher}) => watcher === 'timer');
  return runs.map(run => ({
    ...run,
    ...figuresOf(run),
    ...(run.watcher === 'timer' || !timer ? noOverhead : overhead(run, timer)),
  }));
}

type Overhead = Pick<
  CrossCheckRow,
  'overheadPercent' | 'noisePercent' | 'overheadLowPercent' | 'overheadHighPercent' | 'isMeasurable'
>;
const noOverhead: Overhead = {
  overheadPercent: null,
  noisePercent: null,
  overheadLowPercent: null,
  overheadHighPercent: null,
  isMeasurable: null,
};

function figuresOf({stepNs, eventNs}: WatchedRun): Omit<CrossCheckRow, keyof WatchedRun | keyof Overhead> {
  const statistics = stepStatistics(stepNs);
  return {
    steps: stepNs.length,
    meanNs: statistics?.meanNs ?? null,
    stdNs: statistics?.stdNs ?? null,
    minNs: statistics?.minNs ?? null,
    medianNs: statistics?.medianNs ?? null,
    eventMeanNs: stepStatistics(eventNs ?? [])?.meanNs ?? null,
  };
}

function overhead({stepNs}: WatchedRun, timer: WatchedRun): Overhead {
  const change = medianChange(stepNs, timer.stepNs, {areRunsApart: true});
  if (!change) return noOverhead;
  return {
    overheadPercent: change.percent,
    noisePercent: noiseOf(change),
    overheadLowPercent: change.interval?.lowPercent ?? null,
    overheadHighPercent: change.interval?.highPercent ?? null,
    isMeasurable: isMeasurable(change),
  };
}
