import {formatDuration} from '../../core/format/duration.js';

/** Durations of a program's runs, each from its start to its end, in ns. */
export interface RunTimes {
  readonly count: number;
  readonly meanNs: number;
  /** The sample standard deviation (n − 1); NaN for one run. */
  readonly stdNs: number;
}

export function runTimes(durationsNs: readonly number[]): RunTimes {
  const count = durationsNs.length;
  const meanNs = durationsNs.reduce((sum, duration) => sum + duration, 0) / count;
  const squares = durationsNs.reduce((sum, duration) => sum + (duration - meanNs) ** 2, 0);
  return {count, meanNs, stdNs: count > 1 ? Math.sqrt(squares / (count - 1)) : NaN};
}

/** Returns a sentence with the program's duration alone and under nsys. */
export function timesNote(plain: RunTimes, profiledNs: number): string {
  const spread = Number.isNaN(plain.stdNs) ? '' : ` ± ${formatDuration(plain.stdNs)}`;
  const runs = plain.count === 1 ? 'One run' : `${String(plain.count)} runs`;
  const profiled = `${formatDuration(profiledNs)} with the start and the end of nsys`;
  return `${runs} without nsys took ${formatDuration(plain.meanNs)}${spread}; the one under nsys ${profiled}.`;
}
