import {formatDuration} from '../../core/format/duration.js';
import {sparkline} from '../../core/format/sparkline.js';
import type {RunFacts} from './run-facts.js';

const mostInTrend = 12;

/** Returns the step time of a run with its spread, such as `5.00 ms ± 120 µs`; empty if no step was timed. */
export function stepText({stepNs, stepSpreadNs}: RunFacts): string {
  if (stepNs === null) return '';
  return formatDuration(stepNs) + (stepSpreadNs === null ? '' : ` ± ${formatDuration(stepSpreadNs)}`);
}

/**
 * Returns for each run a row of bars: the step times of the earlier runs of the same command and, last, its own. Empty
 * if
 * there is no earlier run.
 */
export function trendsOf<Run extends RunFacts>(runs: readonly Run[]): ReadonlyMap<Run, string> {
  const before = new Map<string, number[]>();
  const trends = new Map<Run, string>();
  const inTime = [...runs].sort((a, b) => (a.began < b.began ? -1 : a.began > b.began ? 1 : 0));
  for (const run of inTime) {
    if (run.command === null || run.stepNs === null) continue;
    const command = JSON.stringify(run.command);
    const times = [...(before.get(command) ?? []), run.stepNs].slice(-mostInTrend);
    before.set(command, times);
    if (times.length > 1) trends.set(run, sparkline(times));
  }
  return trends;
}

/** Returns a run's short commit, marked if there were uncommitted changes; empty if unknown. */
export function commitText({commit, isDirty}: RunFacts): string {
  return commit === null ? '' : `${commit.slice(0, 9)}${isDirty === true ? ' + changes' : ''}`;
}
