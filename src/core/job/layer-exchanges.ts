import {greatest} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankCall} from './job-rank.js';
import {membersOf} from './traffic.js';
import {wholeNumbers} from './whole-numbers.js';

/** The all-to-all calls of a layer with experts, over the ranks. */
export interface LayerExchange {
  /** Null for calls that are near no layer's experts. */
  readonly layer: string | null;
  /** Number of ranks' parts in calls. */
  readonly calls: number;
  /** Total time of these calls on all ranks, and the part in which their GPUs computed nothing; null on the CPU. */
  readonly busyNs: number;
  readonly exposedNs: number | null;
  /**
   * What each rank receives for its experts, in the profile's units (rows of the input, so tokens); null if unknown.
   */
  readonly received: readonly {readonly rank: number; readonly tokens: number}[] | null;
  /** The most received divided by the mean; 1 is balanced. */
  readonly imbalance: number | null;
}

/**
 * Returns the time of all-to-all calls by layer, the longest first. Empty if there are none.
 *
 * @see docs/metrics.md#job-exchanges
 */
export function layerExchanges(ranks: readonly JobRank[]): LayerExchange[] {
  const byLayer = new Map<string | null, {rank: number; call: RankCall}[]>();
  for (const {rank, calls} of ranks) {
    for (const call of calls) {
      if (call.operation === 'all_to_all') getOrAdd(byLayer, call.layer, () => []).push({rank, call});
    }
  }
  const members = membersOf(ranks);
  return [...byLayer]
    .map(([layer, parts]): LayerExchange => {
      const sum = (of: (call: RankCall) => number) => parts.reduce((total, {call}) => total + of(call), 0);
      const exposedNs = sum(call => call.exposedNs);
      const dispatched = layer === null ? [] : parts.filter(({call}) => call.isDispatch).map(({call}) => call);
      const received = receivedOf(dispatched, members);
      const tokens = received?.map(one => one.tokens) ?? [];
      const total = tokens.reduce((all, one) => all + one, 0);
      return {
        ...{layer, calls: parts.length, busyNs: sum(call => call.busyNs), received},
        exposedNs: Number.isNaN(exposedNs) ? null : exposedNs,
        imbalance: total > 0 ? (greatest(tokens) * tokens.length) / total : null,
      };
    })
    .sort((a, b) => b.busyNs - a.busyNs);
}

/** Returns what each rank receives, from the splits of calls; null if a call lacks them. */
function receivedOf(
  calls: readonly RankCall[],
  members: (call: RankCall) => readonly number[],
): LayerExchange['received'] {
  const tokens = new Map<number, number>();
  for (const call of calls) {
    const splits = wholeNumbers(call.splits);
    const to = members(call);
    if (splits?.length !== to.length) return null;
    to.forEach((rank, at) => tokens.set(rank, (tokens.get(rank) ?? 0) + splits[at]));
  }
  if (tokens.size === 0) return null;
  return [...tokens].sort(([a], [b]) => a - b).map(([rank, count]) => ({rank, tokens: count}));
}
