import type {LaunchSites} from '../attribution/launch-sites.js';
import type {OperatorStacks} from '../attribution/operator-stacks.js';
import {KeyedRows} from '../table/keyed-rows.js';
import type {Trace} from '../trace/trace.js';

/**
 * Returns a function that gives the operator or annotation (row of `slices`) that launched an operation, -1 if unknown.
 *
 * Kineto names it by external id. Traces of 2022 and 2023 write the correlation id instead: for these, and if no
 * operator has the id, it is the innermost one around the launching call.
 */
export function operatorFinder(
  {gpuOperations, operators, capturedCalls}: Trace,
  {siteOf, isCall}: LaunchSites,
  {innermost}: OperatorStacks,
): (operation: number) => number {
  const byId = new KeyedRows(operators.externalId);
  return operation => {
    const id = gpuOperations.externalId[operation];
    const slot = id === gpuOperations.correlation[operation] ? -1 : byId.slot(id);
    // If several operators have the id, the last one counts.
    if (slot >= 0) return operators.slice[byId.rows[byId.offsets[slot + 1] - 1]];
    const site = siteOf[operation];
    const isAround = site >= 0 && (isCall[site] === 1 || capturedCalls[operation] >= 0);
    return isAround ? innermost[site] : -1;
  };
}
