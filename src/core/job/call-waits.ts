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
  /** Calls that several ranks take part in. */
  readonly count: number;
  /**
   * Calls in which every rank of the group takes part. In other calls, a rank without a profile may have been the last.
   */
  readonly wholeCount: number;
  /** Sum over calls; null if the profiles do not record it. */
  readonly bytes: number | null;
  /** Rank → time in these calls spent waiting for the last of the loaded ranks, ns. */
  readonly waitNs: Readonly<Record<string, number>>;
  /** Time of the fastest loaded rank in each call, summed, ns. */
  readonly transferNs: number;
  /** Total time of the calls on all ranks, and the part in which their GPUs computed nothing; null on the CPU. */
  readonly busyNs: number;
  readonly exposedNs: number | null;
  /**
   * Bytes per second of transfer, and the bus bandwidth: that rate times the operation's bus factor; null if unknown.
   */
  readonly algorithmBytesPerSecond: number | null;
  readonly busBytesPerSecond: number | null;
  /**
   * The link between the ranks according to their GPU's data sheet, and the share of it that the bus bandwidth reaches;
   * null if unknown.
   */
  readonly link: GroupLink | null;
  readonly shareOfLink: number | null;
}

/**
 * Splits the ranks' time in collectives into waiting and transfer. Returns a row for each operation and group, the
 * longest waiting first. The last rank to arrive only transfers, so the shortest time in a call is its transfer.
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
  // Data that a CPU sends crosses no link of its GPU.
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

/** Returns the time of the rank that arrived last, which only transferred. */
function transferOf({parts}: MatchedCall): number {
  return least([...parts.values()].map(({busyNs}) => busyNs));
}

/** Returns each rank's waiting time in a call, by position of the rank. */
export function waitsOfCall(call: MatchedCall): Map<number, number> {
  const transferNs = transferOf(call);
  return new Map([...call.parts].map(([rank, {busyNs}]) => [rank, busyNs - transferNs]));
}
