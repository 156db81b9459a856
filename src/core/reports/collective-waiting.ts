import {getOrAdd} from '../table/get-or-add.js';
import {collectiveCalls, type CollectiveCall} from '../figures/collective-calls.js';
import {otherRankInputs} from '../figures/report-input.js';
import type {ReportInput} from '../figures/report-input.js';

/** How the time of a call divides. */
export interface WaitingAndTransfer {
  readonly waitNs: number;
  readonly transferNs: number;
}

/**
 * The waiting of some calls of a profile, told from them and from those of the other ranks' files.
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
 * Call → time in which it waited for other ranks, and in which it transferred; absent where not every rank of its group
 * is there. The calls of all ranks end together, so the rank that came last only transferred: the shortest time.
 *
 * Calls of ranks belong together by group, operation and number in the group; where the profile has no numbers, by their
 * order.
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

/** Calls of a profile by rank: those of one process on one device. */
export function byRank(calls: readonly CollectiveCall[]): CollectiveCall[][] {
  const ranks = new Map<string, CollectiveCall[]>();
  for (const call of calls) getOrAdd(ranks, `${String(call.process)} ${String(call.device)}`, () => []).push(call);
  return [...ranks.values()];
}
