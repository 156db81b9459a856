import type {Attribution} from '../attribution/attribute.js';
import {insideNs} from '../attribution/chosen.js';
import {backwardUnmatched, siteFlag} from '../attribution/credit.js';
import {isCommunicationName} from '../names/communication.js';
import {namesThat} from '../trace/names-that.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {choose, type Selection} from '../scope/selection.js';

/** Categories of the work in "(backward, unmatched)"; an operation gets the first that fits. */
const backwardSortNames = ['communication', 'gradient accumulation', 'copies', 'other'] as const;
export type BackwardSort = (typeof backwardSortNames)[number];

/** The bucket's work in one category; ns. */
export interface UnmatchedWork {
  readonly sort: BackwardSort;
  readonly workNs: number;
  readonly operations: number;
}

/**
 * Returns the work in the bucket "(backward, unmatched)", with a row for each category in the order of
 * `backwardSortNames`. The rows add up to the bucket's self time.
 *
 * @throws TraceError `selection/no-match`
 * @see docs/metrics.md#backward
 */
export function unmatchedBackwardWork(
  trace: Trace,
  attribution: Attribution = attributionOf(trace),
  selection: Selection = {},
): UnmatchedWork[] {
  const {slices, gpuOperations} = trace;
  const {sites, credit} = attribution;
  const chosen = choose(trace, attribution, selection);
  const sortOf = backwardSorts(trace, attribution);
  const rows = backwardSortNames.map(sort => ({sort, workNs: 0, operations: 0}));
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = sites.siteOf[operation];
    if (site < 0 || credit.range[site] !== backwardUnmatched || chosen.operations?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const row = rows[backwardSortNames.indexOf(sortOf(operation))];
    row.workNs += insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
    row.operations++;
  }
  return rows;
}

/** Returns a function that gives the category of an operation launched by autograd, by the row of `gpuOperations`. */
export function backwardSorts(trace: Trace, {sites, credit}: Attribution): (operation: number) => BackwardSort {
  const {slices, gpuOperations} = trace;
  const isCommunication = namesThat(trace, isCommunicationName);
  return operation => {
    const slice = gpuOperations.slice[operation];
    if (isCommunication(slice)) return 'communication';
    const site = sites.siteOf[operation];
    if (site >= 0 && (credit.flags[site] & siteFlag.accumulation) !== 0) return 'gradient accumulation';
    return slices.kind[slice] === kindIndex.gpu_memcpy ? 'copies' : 'other';
  };
}
