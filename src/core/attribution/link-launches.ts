import type {Trace} from '../trace/trace.js';
import {CorrelationIndex} from './correlation-index.js';

/**
 * For each GPU operation the row of the API call that launched it, -1 where the capture has none.
 *
 * Joined by correlation id within a process. Of several calls with one id it is the latest that starts no later than
 * the operation; where all start later (clock skew), the earliest.
 *
 * @see docs/metrics.md#launch
 */
export function linkLaunches({slices, gpuOperations, apiCalls}: Trace): Int32Array {
  const index = new CorrelationIndex(apiCalls);
  const callOf = new Int32Array(gpuOperations.length);
  for (let operation = 0; operation < callOf.length; operation++) {
    const startNs = slices.startNs[gpuOperations.slice[operation]];
    let best = -1;
    let bestStartNs = NaN;
    let call = index.first(gpuOperations.process[operation], gpuOperations.correlation[operation]);
    for (; call >= 0; call = index.next(call)) {
      const callStartNs = slices.startNs[apiCalls.slice[call]];
      if (best < 0 || isBetter(callStartNs, bestStartNs, startNs)) {
        best = call;
        bestStartNs = callStartNs;
      }
    }
    callOf[operation] = best;
  }
  return callOf;
}

function isBetter(candidateNs: number, bestNs: number, operationNs: number): boolean {
  if (candidateNs <= operationNs) return bestNs > operationNs || candidateNs > bestNs;
  return bestNs > operationNs && candidateNs < bestNs;
}
