import {formatDuration} from '../../core/format/duration.js';
import {sparkline} from '../../core/format/sparkline.js';
import type {RunFacts} from './run-facts.js';

const mostInTrend = 12;

/** The step time of a run with its spread, such as `5.00 ms ± 120 µs`; empty if no step was timed. */
export function stepText({stepNs, stepSpreadNs}: RunFacts): string {
  if (stepNs === null) return '';
  return formatDuration(stepNs) + (stepSpreadNs === null ? '' : ` ± ${formatDuration(stepSpreadNs)}`);
}

/**
 * Returns for each run the step times of it and of the runs of the same command before it as a row of bars, the latest
 * last; empty where there is none before.
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

/** The commit of a run in short, and whether there were changes besides; empty if nobody knows it. */
export function commitText({commit, isDirty}: RunFacts): string {
  return commit === null ? '' : `${commit.slice(0, 9)}${isDirty === true ? ' + changes' : ''}`;
}
