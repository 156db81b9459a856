import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import {greatest} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {JobRank, RankCall} from './job-rank.js';
import {wholeNumbers} from './whole-numbers.js';

/** The data that ranks send each other. */
export interface Traffic {
  /** Senders, in the order of the matrix's rows: the ranks with a loaded profile. */
  readonly from: readonly number[];
  /** Receivers, in the order of the columns. */
  readonly to: readonly number[];
  /** Bytes, row by row. */
  readonly bytes: Float64Array;
  /** Calls that are not counted: their sizes or members are unknown, or the operation has a root. */
  readonly leftOut: number;
}

/** A picture of more ranks is illegible, and a corrupt file can claim any number. */
const mostRanks = 2048;

/**
 * Returns the members of a call's group: as the profile lists them, else all ranks of the job, else the loaded ranks
 * that take part.
 */
type Members = (call: RankCall) => readonly number[];

/**
 * Returns how many bytes of each rank's data every other rank needs, summed over calls, whatever route they take. Null
 * if no call records it, or there are more than 2,048 ranks.
 *
 * @see docs/metrics.md#job-traffic
 */
export function rankTraffic(ranks: readonly JobRank[]): Traffic | null {
  const members = membersOf(ranks);
  const sent = ranks.map(() => new Map<number, number>());
  // Rank → members → bytes to each. Adding to each pair per call would be slow: a thousand ranks have a million pairs
  // and thousands of calls.
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

/**
 * Factor from a call's bytes, divided by the members, to the bytes of a rank's data that each member needs. Operations
 * with a root are absent: their root is not recorded.
 */
const partToEach: Partial<Readonly<Record<CollectiveOperation, number>>> = {
  all_reduce: 2,
  all_gather: 1,
  reduce_scatter: 1,
  all_to_all: 1,
};

/** Returns the bytes to each member, or to listed members; null if unknown. */
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

/** Returns the function that lists a call's members. Calls of one group share one list. */
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
