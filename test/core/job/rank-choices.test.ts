import {expect, it} from 'vitest';
import {rankChoices, rankOfChoice, type JobRanks, type RankWords} from '../../../src/core/job/rank-choices.js';
import {partSpreads} from '../../../src/core/job/rank-spread.js';

const job: JobRanks = {
  ...{shown: 3, ranks: [1, 3, 12], files: ['a', 'b', 'c'], texts: ['Rank 1 (slowest)', 'Rank 3', 'Rank 12 (fastest)']},
  standings: [
    {standing: 'fastest', rank: 12},
    {standing: 'slowest', rank: 1},
  ],
};

const words: RankWords = {
  all: {timeline: 'all', parts: 'all', ranges: 'all'},
  notAll: why => `not all: ${why}`,
  standings: {fastest: rank => `min ${rank}`, median: rank => `median ${rank}`, slowest: rank => `max ${rank}`},
};

it('each choice stands for a rank of the job, or for all', () => {
  const choices = rankChoices(job, 'ranges', words).map(({value}) => [value, rankOfChoice(job, value)]);
  expect(choices).toEqual([
    ...[['all-ranks', null] as const, ['fastest', 12] as const, ['slowest', 1] as const],
    ...[1, 3, 12].map(rank => [String(rank), rank]),
  ]);
  expect(rankOfChoice(job, 'median')).toBe(3);
});

it('without a job that was read only ranks and all of them are offered', () => {
  expect(rankChoices({...job, standings: []}, 'parts', words).map(({value}) => value)).toEqual([
    'all-ranks',
    '1',
    '3',
    '12',
  ]);
});

it('parts of time are spread over the ranks that tell theirs, 0 where a rank has none', () => {
  const of = (rank: number, ...parts: [part: 'attention' | 'idle/loader', ns: number][]) => ({
    rank,
    parts: parts.map(([part, ns]) => ({part, ns})),
  });
  const ranks = [
    of(0, ['attention', 10]),
    of(4, ['attention', 30], ['idle/loader', 90]),
    of(5),
    of(7, ['attention', 11]),
  ];
  expect(partSpreads(ranks)).toEqual([
    {part: 'idle/loader', minNs: 0, medianNs: 0, maxNs: 90, slowestRank: 4, ranks: 3},
    {part: 'attention', minNs: 10, medianNs: 11, maxNs: 30, slowestRank: 4, ranks: 3},
  ]);
});
