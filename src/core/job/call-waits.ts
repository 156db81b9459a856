import {busFactor, type CollectiveOperation} from '../figures/collective-bandwidth.js';
import {least} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import {groupLink, type GroupLink} from './group-link.js';
import type {JobRank} from './job-rank.js';
import type {MatchedCall} from './match-calls.js';

/** All calls of one operation in one group. */
export interface CollectiveWaits {
  readonly name: CollectiveOperation;
  readonly group: string | null;
  /** Calls that several ranks have a part in. */
  readonly count: number;
  /** Calls in which every rank of the group has a part. In others a rank that is not here may have been the last. */
  readonly wholeCount: number;
  /** Sum over calls; null if the profiles do not tell it. */
  readonly bytes: number | null;
  /** Rank → time in these calls waiting for the last of the ranks that are here, ns. */
  readonly waitNs: Readonly<Record<string, number>>;
  /** The time of the fastest rank that is here in each call, summed, ns. */
  readonly transferNs: number;
  /** Time of the calls on all ranks, summed, and the part of it in which their GPUs computed nothing; null on the CPU. */
  readonly busyNs: number;
  readonly exposedNs: number | null;
  /** Bytes by the transfer, and that times what a rank must send over the slowest link; null if unknown. */
  readonly algorithmBytesPerSecond: number | null;
  readonly busBytesPerSecond: number | null;
  /** What joins the ranks by the data sheet of their GPU, and the part of it that the bus bandwidth is; null if unknown. */
  readonly link: GroupLink | null;
  readonly shareOfLink: number | null;
}

/**
 * Returns how the ranks' time in collectives divides into waiting and transfer, for each operation and group, the
 * longest waiting first. The rank that comes last only transfers, so the shortest time in a call is its transfer.
 *
 * @see docs/metrics.md#job-collectives
 */
export function collectiveWaits(ranks: readonly JobRank[], matched: readonly MatchedCall[]): CollectiveWaits[] {
  const byKind = new Map<string, MatchedCall[]>();
  for (const call of matched) {
    getOrAdd(byKind, JSON.stringify([call.operation, call.group]), () => []).push(call);
  }
  const all = [...byKind.values()].map(calls => waitsOf(ranks, calls));
  const waiting = ({waitNs}: CollectiveWaits) => Object.values(waitNs).reduce((sum, ns) => sum + ns, 0);
  return all.sort((a, b) => waiting(b) - waiting(a));
}

function waitsOf(ranks: readonly JobRank[], calls: readonly MatchedCall[]): CollectiveWaits {
  const [{operation, group}] = calls;
  const waitNs: Record<string, number> = {};
  const members = new Set<JobRank>();
  let transferNs = 0;
  let bytes = 0;
  let busyNs = 0;
  let exposedNs = 0;
  for (const call of calls) {
    const [first] = call.parts.values();
    bytes += first.bytes;
    transferNs += transferOf(call);
    for (const [rank, part] of call.parts) {
      members.add(ranks[rank]);
      busyNs += part.busyNs;
      exposedNs += part.exposedNs;
    }
    for (const [rank, ns] of waitsOfCall(call)) {
      const key = String(ranks[rank].rank);
      waitNs[key] = (waitNs[key] ?? 0) + ns;
    }
  }
  const [{groupSize}] = calls[0].parts.values();
  const algorithm = (bytes / transferNs) * 1e9;
  const bus = algorithm * busFactor(operation, groupSize);
  // What a CPU sends goes over no link of its GPU.
  const link = Number.isNaN(exposedNs) ? null : groupLink([...members], groupSize);
  return {
    ...{name: operation, group, count: calls.length, wholeCount: calls.filter(({isWhole}) => isWhole).length},
    ...{bytes: known(bytes), waitNs, transferNs, busyNs, exposedNs: known(exposedNs)},
    algorithmBytesPerSecond: known(algorithm),
    busBytesPerSecond: known(bus),
    ...{link, shareOfLink: link && known(bus / link.bytesPerSecond)},
  };
}

function known(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

/** Returns the time of the rank that came last: it only transferred. */
function transferOf({parts}: MatchedCall): number {
  return least([...parts.values()].map(({busyNs}) => busyNs));
}

/** Returns the waiting of each rank in a call, by position of the rank. */
export function waitsOfCall(call: MatchedCall): Map<number, number> {
  const transferNs = transferOf(call);
  return new Map([...call.parts].map(([rank, {busyNs}]) => [rank, busyNs - transferNs]));
}
