import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import {greatest} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankCall} from './job-rank.js';
import {wholeNumbers} from './whole-numbers.js';

/** What ranks send each other. */
export interface Traffic {
  /** Senders, in the order of the matrix's rows: the ranks that have a profile here. */
  readonly from: readonly number[];
  /** Receivers, in the order of its columns. */
  readonly to: readonly number[];
  /** Row by row, bytes. */
  readonly bytes: Float64Array;
  /** Calls that count nothing here: their sizes or members are not known, or one rank of theirs is the root. */
  readonly leftOut: number;
}

/** A picture of more ranks is none, and a file can say anything. */
const mostRanks = 2048;

/** A group's ranks as a profile lists them, else all of a job, else those that take part here. */
type Members = (call: RankCall) => readonly number[];

/**
 * Returns how many bytes of each rank's data every other rank needs, summed over calls, whatever route they take. Null
 * if no call tells it, or there are more than 2,048 ranks.
 *
 * @see docs/metrics.md#job-traffic
 */
export function rankTraffic(ranks: readonly JobRank[]): Traffic | null {
  const members = membersOf(ranks);
  const sent = ranks.map(() => new Map<number, number>());
  // Rank → members → bytes to each: a job of a thousand ranks has a million pairs, and thousands of calls.
  const even = ranks.map(() => new Map<readonly number[], number>());
  let leftOut = 0;
  ranks.forEach(({rank, calls}, at) => {
    for (const call of calls) {
      const found = partsOf(call, members(call));
      if (found === null) leftOut += call.operation === 'recv' || call.operation === 'barrier' ? 0 : 1;
      else if (typeof found === 'number') even[at].set(members(call), (even[at].get(members(call)) ?? 0) + found);
      else for (const [to, bytes] of found) if (to !== rank) add(sent[at], to, bytes);
    }
    for (const [to, bytes] of even[at]) for (const other of to) if (other !== rank) add(sent[at], other, bytes);
  });
  const from = ranks.map(({rank}) => rank);
  const to = [...new Set([...from, ...sent.flatMap(row => [...row.keys()])])].sort((a, b) => a - b);
  if (to.length > mostRanks || sent.every(row => row.size === 0)) return null;
  const bytes = new Float64Array(from.length * to.length);
  sent.forEach((row, at) => {
    to.forEach((other, place) => {
      bytes[at * to.length + place] = row.get(other) ?? 0;
    });
  });
  return {from, to, bytes, leftOut};
}

function add(row: Map<number, number>, to: number, bytes: number): void {
  row.set(to, (row.get(to) ?? 0) + bytes);
}

/** What of a rank's data the others need, as a part of the bytes of a call; operations with a root do not tell theirs. */
const partToEach: Partial<Readonly<Record<CollectiveOperation, number>>> = {
  all_reduce: 2,
  all_gather: 1,
  reduce_scatter: 1,
  all_to_all: 1,
};

/** Bytes to each member alike, or to some of them; null if that is not known. */
function partsOf(
  call: RankCall,
  members: readonly number[],
): number | (readonly [rank: number, bytes: number])[] | null {
  const {operation, bytes, sentBytes, peer} = call;
  if (operation === 'send') {
    const size = Number.isNaN(sentBytes) ? bytes : sentBytes;
    return Number.isNaN(peer) || Number.isNaN(size) ? null : [[peer, size]];
  }
  const splits = operation === 'all_to_all' ? wholeNumbers(call.splits) : null;
  if (splits?.length === members.length && !Number.isNaN(sentBytes)) {
    const total = splits.reduce((sum, one) => sum + one, 0);
    return members.map((rank, at) => [rank, total === 0 ? 0 : (sentBytes * splits[at]) / total]);
  }
  const part = partToEach[operation];
  return part === undefined || Number.isNaN(bytes) || members.length < 2 ? null : (part * bytes) / members.length;
}

/** One list for each group: calls of one group have the same. */
export function membersOf(ranks: readonly JobRank[]): Members {
  const size = greatest(
    ranks.map(({worldSize}) => worldSize ?? NaN),
    ranks.length,
  );
  const told = new Map<string, readonly number[] | null>();
  const here = new Map<string | null, Set<number>>();
  for (const {rank, calls} of ranks)
    for (const {group} of calls) getOrAdd(here, group, () => new Set<number>()).add(rank);
  const lists = new Map([...here].map(([group, found]) => [group, [...found].sort((a, b) => a - b)]));
  const whole = size > mostRanks ? [] : Array.from({length: size}, (_, rank) => rank);
  return ({group, groupRanks, groupSize}) => {
    const listed = groupRanks === null ? null : getOrAdd(told, groupRanks, () => wholeNumbers(groupRanks));
    if (listed !== null) return listed;
    const known = lists.get(group) ?? [];
    if (groupSize === size) return whole;
    return Number.isNaN(groupSize) || known.length === groupSize ? known : [];
  };
}
