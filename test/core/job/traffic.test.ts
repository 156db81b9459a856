import {describe, expect, it} from 'vitest';
import type {JobRank, RankCall} from '../../../src/core/job/job-rank.js';
import {rankTraffic} from '../../../src/core/job/traffic.js';
import {madeJob} from '../../support/job-ranks.js';

const [plain] = madeJob({ranks: 1, steps: 1, callsPerStep: 1});

/** Ranks 0, 1, …, each with these calls. */
function ranksWith(count: number, calls: (rank: number) => readonly Partial<RankCall>[]): JobRank[] {
  const [call] = plain?.calls ?? [];
  if (!plain || !call) throw new Error('one call');
  return Array.from({length: count}, (_, rank) => ({
    ...{...plain, rank, worldSize: count},
    calls: calls(rank).map(own => ({...call, groupSize: count, ...own})),
  }));
}

const rowsOf = (ranks: readonly JobRank[]) => {
  const traffic = rankTraffic(ranks);
  if (!traffic) return null;
  const {from, to, bytes} = traffic;
  return from.map((_, row) => [...bytes.subarray(row * to.length, (row + 1) * to.length)]);
};

describe('the bytes from rank to rank', () => {
  it('of an all-reduce are two parts of its data to each other rank: 2(n−1)/n of it in all', () => {
    // By hand: 1,200 bytes on three ranks, 400 a part, once for the sum and once for the result.
    expect(rowsOf(ranksWith(3, () => [{operation: 'all_reduce', bytes: 1200}]))).toEqual([
      [0, 800, 800],
      [800, 0, 800],
      [800, 800, 0],
    ]);
  });

  it('of an all-to-all of uneven parts follow the parts that each rank lists', () => {
    const splits = ['[1, 2]', '[3, 1]'];
    const ranks = ranksWith(2, rank => [
      {operation: 'all_to_all', bytes: 999, sentBytes: [300, 400][rank] ?? 0, splits: splits[rank] ?? null},
    ]);
    expect(rowsOf(ranks)).toEqual([
      [0, 200],
      [300, 0],
    ]);
  });

  it('go to the rank that a send names, and count once', () => {
    const ranks = ranksWith(2, rank => [
      rank === 0
        ? {operation: 'send', bytes: 70, sentBytes: 70, peer: 1, group: 'p'}
        : {operation: 'recv', bytes: 70, sentBytes: NaN, group: 'p'},
    ]);
    expect(rankTraffic(ranks)?.leftOut).toBe(0);
    expect(rowsOf(ranks)).toEqual([
      [0, 70],
      [0, 0],
    ]);
  });

  it('stay in the ranks of a group that the profile lists, also of those that have no profile here', () => {
    const [first] = ranksWith(4, () => [
      {operation: 'all_gather', bytes: 30, groupSize: 3, groupRanks: '[0, 2, 3]', group: 'three'},
    ]);
    const traffic = rankTraffic(first ? [first] : []);
    expect(traffic).toMatchObject({from: [0], to: [0, 2, 3]});
    expect([...(traffic?.bytes ?? [])]).toEqual([0, 10, 10]);
  });

  it('leave out what the profile does not tell, and count it; what tells nothing is no matrix', () => {
    const broadcast = {operation: 'broadcast', bytes: 8} as const;
    const ranks = ranksWith(2, () => [
      broadcast,
      {operation: 'all_reduce', bytes: NaN},
      {operation: 'all_gather', bytes: 2},
    ]);
    expect(rankTraffic(ranks)?.leftOut).toBe(4);
    expect(rankTraffic(ranksWith(2, () => [broadcast]))).toBeNull();
    // A list that PyTorch cut short names no members, and here two of three take part.
    const cut = ranksWith(2, () => [{operation: 'all_gather', bytes: 2, groupSize: 3, groupRanks: '[0, 1, ...]'}]);
    expect(rankTraffic(cut)).toBeNull();
  });

  it('add up as a recount pair by pair has them', () => {
    const ranks = ranksWith(8, rank => [
      {operation: 'all_reduce', bytes: 64},
      {
        operation: 'reduce_scatter',
        bytes: 80,
        groupSize: 4,
        groupRanks: rank < 4 ? '[0,1,2,3]' : '[4,5,6,7]',
        group: rank < 4 ? 'a' : 'b',
      },
    ]);
    const expected = ranks.map((_, from) =>
      ranks.map((__, to) => (from === to ? 0 : 16 + (from < 4 === to < 4 ? 20 : 0))),
    );
    expect(rowsOf(ranks)).toEqual(expected);
  });
});
