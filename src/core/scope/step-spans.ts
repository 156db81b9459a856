import type {LaunchSites} from '../attribution/launch-sites.js';
import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {stepOfOperations} from './step-scope.js';
import {stepBytes, stepsOf, type Step} from './steps.js';

const stepSpansKey = derivedKey<readonly Step[]>('step spans');

/**
 * Returns the steps of a trace including their GPU time, in the order of `stepsOf`. A step starts at the later of its
 * own range's start and its predecessor's end. It ends at the later of its own range's end and the end of the last GPU
 * operation launched in it. Its predecessor is the previous step of its process; a step that contains another is not
 * its predecessor.
 *
 * `stepsOf` returns the ranges themselves, which determine what was launched in a step.
 *
 * @param sites the sites of this trace
 * @see docs/metrics.md#step
 */
export function stepSpans(trace: Trace, sites: LaunchSites): readonly Step[] {
  return derived(
    trace,
    stepSpansKey,
    () => findSpans(trace, sites),
    spans => spans.length * stepBytes,
  );
}

function findSpans(trace: Trace, sites: LaunchSites): readonly Step[] {
  const steps = stepsOf(trace);
  const lastEndNs = lastOperationEnds(trace, stepOfOperations(trace, sites), steps.length);
  const chains = new Map<number, Chain>();
  return steps.map((step, at) => {
    const chain = getOrAdd(chains, step.process, () => ({freeFromNs: -Infinity, around: []}));
    // Steps that end before this one ends do not contain it.
    while ((chain.around.at(-1)?.rangeEndNs ?? Infinity) < step.endNs) {
      chain.freeFromNs = Math.max(chain.freeFromNs, chain.around.pop()?.endNs ?? -Infinity);
    }
    const startNs = Math.max(step.startNs, chain.freeFromNs);
    const endNs = Math.max(startNs, step.endNs, lastEndNs[at]);
    chain.around.push({rangeEndNs: step.endNs, endNs});
    return {...step, startNs, endNs};
  });
}

/** The steps of a process so far: when the last predecessor ended, and steps that may contain the next one. */
interface Chain {
  freeFromNs: number;
  readonly around: {readonly rangeEndNs: number; readonly endNs: number}[];
}

/** Returns the end of the last GPU operation launched in each step; -Infinity if there is none. */
export function lastOperationEnds(trace: Trace, stepOf: Int32Array, steps: number): Float64Array {
  const {slices, gpuOperations} = trace;
  const lastEndNs = new Float64Array(steps).fill(-Infinity);
  for (let operation = 0; operation < stepOf.length; operation++) {
    const step = stepOf[operation];
    if (step < 0) continue;
    const slice = gpuOperations.slice[operation];
    const endNs = slices.startNs[slice] + slices.durationNs[slice];
    if (endNs > lastEndNs[step]) lastEndNs[step] = endNs;
  }
  return lastEndNs;
}
