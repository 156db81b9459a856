import type {LaunchSites} from '../attribution/launch-sites.js';
import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {stepOfOperations} from './step-scope.js';
import {stepBytes, stepsOf, type Step} from './steps.js';

const stepSpansKey = derivedKey<readonly Step[]>('step spans');

/**
 * The steps of a trace with the GPU's time in them, in the order of `stepsOf`. A step starts at the later of its own
 * range's start and its predecessor's end. It ends at the later of its own range's end and the end of the last GPU
 * operation launched in it. Its predecessor is the step of its process before it; a step around another is not the
 * predecessor of that one.
 *
 * `stepsOf` has the ranges themselves, which tell what was launched in a step.
 *
 * @param sites of this trace
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
    // Steps that end before this one ends are not around it.
    while ((chain.around.at(-1)?.rangeEndNs ?? Infinity) < step.endNs) {
      chain.freeFromNs = Math.max(chain.freeFromNs, chain.around.pop()?.endNs ?? -Infinity);
    }
    const startNs = Math.max(step.startNs, chain.freeFromNs);
    const endNs = Math.max(startNs, step.endNs, lastEndNs[at]);
    chain.around.push({rangeEndNs: step.endNs, endNs});
    return {...step, startNs, endNs};
  });
}

/** The steps of a process so far: when the last predecessor ended, and steps that may be around the next one. */
interface Chain {
  freeFromNs: number;
  readonly around: {readonly rangeEndNs: number; readonly endNs: number}[];
}

/** Step → end of the last GPU operation launched in it, -Infinity where there is none. */
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
