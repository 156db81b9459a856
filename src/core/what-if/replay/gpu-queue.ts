import type {LaunchSites} from '../../attribution/launch-sites.js';
import {getOrAdd} from '../../table/get-or-add.js';
import {upperBound} from '../../table/search.js';
import type {Trace} from '../../trace/trace.js';

/** The operations of one stream of a process, in the order in which they ran. */
export interface StreamQueue {
  readonly process: number;
  readonly device: number;
  readonly stream: number;
  readonly operations: Int32Array;
  /**
   * Position in `operations` → when the last of the operations up to it was launched, ns, ascending. An operation
   * without a call counts as launched with the previous one.
   */
  readonly launchedNs: Float64Array;
}

/** Returns the queues of a trace, grouped by process. */
export function streamQueues({slices, gpuOperations}: Trace, {siteOf, slice}: LaunchSites): StreamQueue[] {
  const {process, device, stream} = gpuOperations;
  const rows = new Map<string, number[]>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const key = `${String(process[operation])} ${String(device[operation])} ${String(stream[operation])}`;
    getOrAdd(rows, key, () => []).push(operation);
  }
  return [...rows.values()].map(list => {
    const operations = Int32Array.from(list);
    let latestNs = -Infinity;
    const launchedNs = Float64Array.from(operations, operation => {
      const site = siteOf[operation];
      if (site >= 0) latestNs = Math.max(latestNs, slices.startNs[slice[site]]);
      return latestNs;
    });
    const [first] = operations;
    return {process: process[first], device: device[first], stream: stream[first], operations, launchedNs};
  });
}

/** Returns the last operation of a queue launched before a time; -1 for none. */
export function lastLaunched({operations, launchedNs}: StreamQueue, beforeNs: number): number {
  const at = upperBound(launchedNs, beforeNs) - 1;
  return at < 0 ? -1 : operations[at];
}
