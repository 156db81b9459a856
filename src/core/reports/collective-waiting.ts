import {getOrAdd} from '../table/get-or-add.js';
import {collectiveCalls, type CollectiveCall} from '../figures/collective-calls.js';
import {otherRankInputs} from '../figures/report-input.js';
import type {ReportInput} from '../figures/report-input.js';

/** How the time of a call divides into waiting and transfer. */
export interface WaitingAndTransfer {
  readonly waitNs: number;
  readonly transferNs: number;
}

/**
 * Returns the waiting of some calls of a profile, computed from them and from the calls in the other ranks' files.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function waitingOf(
  input: ReportInput,
  calls: readonly CollectiveCall[],
): ReadonlyMap<CollectiveCall, WaitingAndTransfer> {
  const others = otherRankInputs(input).flatMap(other => byRank(collectiveCalls(other)));
  return splitWaiting([...byRank(calls), ...others]);
}

/**
 * Returns, for each call, the time in which it waited for other ranks, and the time in which it transferred. A call is
 * absent if a rank of its group has no profile. The calls of all ranks end together, so the rank that arrives last only
 * transfers: its time is the shortest.
 *
 * Calls of different ranks are matched by group, operation and number in the group; by their order if the profile has
 * no numbers.
 *
 * @param ranks the calls of each rank, in order of start
 * @see docs/metrics.md#collective-sum
 */
export function splitWaiting(
  ranks: readonly (readonly CollectiveCall[])[],
): ReadonlyMap<CollectiveCall, WaitingAndTransfer> {
  const together = new Map<string, CollectiveCall[]>();
  for (const calls of ranks) {
    const orders = new Map<string, number>();
    for (const call of calls) {
      if (call.kernels === 0 && !call.isOnCpu) continue;
      const kind = JSON.stringify([call.group, call.operation]);
      const order = orders.get(kind) ?? 0;
      orders.set(kind, order + 1);
      const number = Number.isNaN(call.sequence) ? `order ${String(order)}` : `sequence ${String(call.sequence)}`;
      getOrAdd(together, `${kind} ${number}`, () => []).push(call);
    }
  }
  const found = new Map<CollectiveCall, WaitingAndTransfer>();
  for (const calls of together.values()) {
    if (calls.length !== calls[0].groupSize) continue;
    const transferNs = calls.reduce((least, {busyNs}) => Math.min(least, busyNs), Infinity);
    for (const call of calls) found.set(call, {waitNs: call.busyNs - transferNs, transferNs});
  }
  return found;
}

/** Returns the calls of a profile by rank: a rank is one process on one device. */
export function byRank(calls: readonly CollectiveCall[]): CollectiveCall[][] {
  const ranks = new Map<string, CollectiveCall[]>();
  for (const call of calls) getOrAdd(ranks, `${String(call.process)} ${String(call.device)}`, () => []).push(call);
  return [...ranks.values()];
}
