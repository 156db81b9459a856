import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import {greatest} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankCall} from './job-rank.js';

/** The parts of several ranks in one collective operation. */
export interface MatchedCall {
  readonly operation: CollectiveOperation;
  readonly group: string | null;
  /** Rank (position in the list of ranks) → its part; absent for ranks without one. */
  readonly parts: ReadonlyMap<number, RankCall>;
  /** Whether every rank of the group, or of the job if the group's size is unknown, takes part. */
  readonly isWhole: boolean;
}

/**
 * Returns the calls that several ranks take part in, in the order of the first rank that has one.
 *
 * Parts are matched by group, operation and sequence number. Calls without a number are counted, within their step if
 * they are in one, because recordings of ranks may begin with different calls.
 */
export function matchCalls(ranks: readonly JobRank[]): MatchedCall[] {
  const jobSize = greatest(
    ranks.map(({worldSize}) => worldSize ?? NaN),
    ranks.length,
  );
  const together = new Map<string, Map<number, RankCall>>();
  const kinds = new Map<string | null, Map<string, string>>();
  const kindOf = ({group, operation}: RankCall) => {
    const ofGroup = getOrAdd(kinds, group, () => new Map<string, string>());
    return getOrAdd(ofGroup, operation, () => JSON.stringify([group, operation]));
  };
  ranks.forEach(({calls, steps}, rank) => {
    const counts = new Map<string, number>();
    for (const call of calls) {
      const kind = kindOf(call);
      let key = `${kind} #${String(call.sequence)}`;
      if (Number.isNaN(call.sequence)) {
        const place = call.step < 0 ? kind : `${kind} step ${String(steps[call.step].number)}`;
        const count = counts.get(place) ?? 0;
        counts.set(place, count + 1);
        key = `${place} at ${String(count)}`;
      }
      const parts = getOrAdd(together, key, () => new Map<number, RankCall>());
      // A number that a rank repeats identifies no call: the first wins.
      if (!parts.has(rank)) parts.set(rank, call);
    }
  });
  return [...together.values()].flatMap(parts => {
    const [first] = parts.values();
    if (parts.size < 2) return [];
    const size = Number.isNaN(first.groupSize) ? jobSize : first.groupSize;
    return [{operation: first.operation, group: first.group, parts, isWhole: parts.size === size}];
  });
}
