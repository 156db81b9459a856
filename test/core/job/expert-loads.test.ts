import {describe, expect, it} from 'vitest';
import {expertLoads} from '../../../src/core/job/expert-loads.js';
import type {RankRange} from '../../../src/core/job/job-rank.js';
import {madeJob} from '../../support/job-ranks.js';
import {comparedWithUsualWork} from '../../support/usual-work.js';

const [plain] = madeJob({ranks: 1, steps: 1, callsPerStep: 1});

function range(name: string, gpuWorkNs: number | null, cpuWallNs = 0): RankRange {
  return {name, gpuWorkNs, cpuWallNs, cpuSelfNs: 0};
}

function loads(...ranges: readonly (readonly RankRange[])[]) {
  return expertLoads(ranges.flatMap((own, rank) => (plain ? [{...plain, rank, ranges: own}] : [])));
}

describe('the loads of experts', () => {
  it('are summed by layer, expert and rank; 1 is balanced', () => {
    // Two ranks have two of four experts each. By hand: experts 100, 100, 100 and 500, mean 200; ranks 200 and 600, mean 400.
    const [first, second, ...others] = loads(
      [range('layers.0.mlp.experts.0', 100), range('layers.0.mlp.experts.1', 100), range('layers.1.mlp.experts.0', 7)],
      [range('layers.0.mlp.experts.2', 100), range('layers.0.mlp.experts.3', 500), range('layers.1.mlp.experts.1', 7)],
    );
    expect(others).toEqual([]);
    expect(first).toMatchObject({layer: 'layers.0.mlp', expertImbalance: 2.5, rankImbalance: 1.5});
    expect(first?.experts).toContainEqual({expert: 3, rank: 1, gpuWorkNs: 500, tokens: null});
    expect((first?.ranks ?? []).map(({rank, gpuWorkNs}) => [rank, gpuWorkNs])).toEqual([
      [0, 200],
      [1, 600],
    ]);
    expect(second).toMatchObject({layer: 'layers.1.mlp', expertImbalance: 1, rankImbalance: 1});
  });

  it('of an expert that several ranks have are added, and the rank that does most of it is named', () => {
    const [load] = loads([range('experts.0', 10), range('experts.1', 10)], [range('experts.0', 30)]);
    expect(load).toMatchObject({layer: '', expertImbalance: (40 * 2) / 50});
    expect(load?.experts[0]).toEqual({expert: 0, rank: 1, gpuWorkNs: 40, tokens: null});
  });

  it('are CPU wall time in a profile without GPU work', () => {
    const [load] = loads([range('experts.0', null, 30), range('experts.1', null, 10)]);
    expect(load?.expertImbalance).toBe(1.5);
  });

  it.each([
    'layer3/expert_5',
    'model.experts[5]',
    'moe expert 5',
    'mlp.experts.5',
    'layer3/Expert-5',
    'layer3.expert5',
    'mlp_experts.5',
  ])('are known by a name like %s', name => {
    expect(loads([range(name, 5), range(name.replace('5', '4').replace(/5(\D*)$/, '6$1'), 5)])).toHaveLength(1);
  });

  it.each(['expertise 5', 'experts', 'layers.5.mlp', 'mlp.experts.5.linear', 'experts.123456'])(
    'are not of a range called %s',
    name => {
      expect(loads([range(name, 5), range(`${name}7`, 5)])).toEqual([]);
    },
  );

  it('of one expert alone are no balance', () => {
    expect(loads([range('experts.0', 10)])).toEqual([]);
  });

  it('are found in bounded time in long names', async () => {
    const long = `${'expert_'.repeat(20_000)}x`;
    const {result, times} = await comparedWithUsualWork(() => loads([range(long, 1)]));
    expect(result).toEqual([]);
    expect(times).toBeLessThan(10);
  });
});
