import {isCommunicationKernel} from '../names/kernel-class.js';
import {getOrAdd} from '../table/get-or-add.js';
import {overlapNs, unionOf, type IntervalSet} from '../trace/interval-sets.js';
import {namesThat} from '../trace/names-that.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** How much of a rank's communication runs while its GPUs compute, ns. */
export interface RankOverlap {
  /** Time in which a communication kernel ran, summed over GPUs. */
  readonly communicationNs: number;
  /** The part of it in which another kernel ran on the same GPU. */
  readonly overlapNs: number;
}

/**
 * Returns the overlap of communication and computation; null without communication on a GPU. Copies and memsets count
 * as neither.
 *
 * @param processes the rank's processes; null for all
 * @see docs/metrics.md#job-overlap
 */
export function rankOverlap(trace: Trace, processes: ReadonlySet<number> | null): RankOverlap | null {
  const {slices, gpuOperations} = trace;
  const isCommunication = namesThat(trace, isCommunicationKernel);
  const kernels = new Map<number, {communication: number[]; computation: number[]}>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const slice = gpuOperations.slice[operation];
    if (slices.kind[slice] !== kindIndex.kernel || processes?.has(gpuOperations.process[operation]) === false) continue;
    const ofDevice = getOrAdd(kernels, gpuOperations.device[operation], () => ({communication: [], computation: []}));
    ofDevice[isCommunication(slice) ? 'communication' : 'computation'].push(slice);
  }
  const sum = {communicationNs: 0, overlapNs: 0};
  for (const {communication, computation} of kernels.values()) {
    const communicated = whenOf(trace, communication);
    sum.communicationNs += communicated.totalNs;
    sum.overlapNs += overlapNs(communicated, whenOf(trace, computation));
  }
  return sum.communicationNs > 0 ? sum : null;
}

/** @param rows rows of `slices`, by start */
function whenOf({slices}: Trace, rows: readonly number[]): IntervalSet {
  return unionOf({
    length: rows.length,
    startNs: Float64Array.from(rows, row => slices.startNs[row]),
    durationNs: Float64Array.from(rows, row => slices.durationNs[row]),
  });
}
