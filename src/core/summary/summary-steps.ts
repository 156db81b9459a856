import {launchSites} from '../attribution/launch-sites.js';
import {stepSpans} from '../scope/step-spans.js';
import type {Step} from '../scope/steps.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/** Durations of steps; ns. */
export interface StepLengths {
  readonly count: number;
  readonly medianNs: number;
  readonly leastNs: number;
  readonly mostNs: number;
}

/**
 * Returns the steps that a summary covers: those of the process for which the GPU works, else of the process with the
 * most steps. Of nested steps, the outer ones.
 *
 * @param process index of the process whose steps are wanted
 */
export function summarySteps(trace: Trace, process: number): readonly Step[] {
  const all = stepSpans(trace, launchSites(trace));
  const ofProcess = new Map<number, Step[]>();
  for (const step of all) getOrAdd(ofProcess, step.process, () => []).push(step);
  const most = [...ofProcess.values()].sort((a, b) => b.length - a.length).at(0) ?? [];
  let lastEndNs = -Infinity;
  return (ofProcess.get(process) ?? most).filter(({startNs, endNs}) => {
    if (startNs < lastEndNs || endNs <= startNs) return false;
    lastEndNs = endNs;
    return true;
  });
}

/** Returns the durations; null without steps. The median of an even number is the mean of the two in the middle. */
export function stepLengths(steps: readonly Step[]): StepLengths | null {
  if (steps.length === 0) return null;
  const lengths = Float64Array.from(steps, ({startNs, endNs}) => endNs - startNs).sort();
  const middle = lengths.length >> 1;
  const medianNs = lengths.length % 2 === 1 ? lengths[middle] : (lengths[middle - 1] + lengths[middle]) / 2;
  return {count: lengths.length, medianNs, leastNs: lengths[0], mostNs: lengths[lengths.length - 1]};
}
