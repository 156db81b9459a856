import {describe, expect, it} from 'vitest';
import {layersOfCalls, type ExpertBlock} from '../../../src/core/job/expert-blocks.js';
import type {JobRank, RankCall} from '../../../src/core/job/job-rank.js';
import {layerExchanges} from '../../../src/core/job/layer-exchanges.js';
import {madeJob} from '../../support/job-ranks.js';

const blocks: ExpertBlock[] = [
  {layer: 'a', startNs: 100, endNs: 200},
  {layer: 'b', startNs: 300, endNs: 400},
  {layer: 'a', startNs: 520, endNs: 600},
];

describe('the layer of an all-to-all', () => {
  it.each([
    [90, 'a', true],
    [210, 'a', false],
    [290, 'b', true],
    [410, 'b', false],
    [500, 'a', true],
    [150, 'a', false],
    // The median gap is 110.
    [705, 'a', false],
    [720, null, false],
  ])('called at %i is that of the experts nearest to it: %s, before them: %s', (calledNs, layer, isDispatch) => {
    expect(layersOfCalls(blocks)(calledNs)).toEqual({layer, isDispatch});
  });

  it('is none where no range is an expert, or the profile does not say when it was called', () => {
    expect(layersOfCalls([])(5).layer).toBeNull();
    expect(layersOfCalls(blocks)(NaN).layer).toBeNull();
  });
});

describe('exchanges by layer', () => {
  const [plain] = madeJob({ranks: 1, steps: 1, callsPerStep: 1});
  const [call] = plain?.calls ?? [];
  const rankWith = (rank: number, ...calls: Partial<RankCall>[]): JobRank => {
    if (!plain || !call) throw new Error('one call');
    return {
      ...{...plain, rank, worldSize: 2},
      calls: calls.map(own => ({...call, operation: 'all_to_all', groupSize: 2, layer: 'm', ...own})),
    };
  };

  it('sum time over ranks, and count what the dispatches give to each rank', () => {
    // By hand: rank 0 gets 1 + 2 tokens, rank 1 gets 5 + 4; mean 6, most 9.
    const found = layerExchanges([
      rankWith(0, {busyNs: 10, isDispatch: true, splits: '[1, 5]'}, {busyNs: 7, splits: '[9, 9]'}),
      rankWith(1, {busyNs: 20, isDispatch: true, splits: '[2, 4]'}, {busyNs: 3, layer: null}),
    ]);
    expect(found).toEqual([
      {
        ...{layer: 'm', calls: 3, busyNs: 37, exposedNs: null, imbalance: 1.5},
        received: [
          {rank: 0, tokens: 3},
          {rank: 1, tokens: 9},
        ],
      },
      {layer: null, calls: 1, busyNs: 3, exposedNs: null, received: null, imbalance: null},
    ]);
  });

  it('count no tokens where a dispatch does not list its parts, or lists too few', () => {
    for (const splits of [null, '[]', '[3]', '[1, 2, ...]']) {
      expect(layerExchanges([rankWith(0, {isDispatch: true, splits})])[0]?.received).toBeNull();
    }
  });
});
