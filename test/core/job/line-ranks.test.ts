import {describe, expect, it} from 'vitest';
import {jobFacts} from '../../../src/core/job/job-report.js';
import {jobView} from '../../../src/core/job/job-view.js';
import {lineRanks, lineRanksSpread, lineRanksText} from '../../../src/core/job/line-ranks.js';
import {madeJob} from '../../support/job-ranks.js';

/** Ranks with a range "layer_0" and "layer_1" of so many ms a step, each half of it; absent for NaN. */
function view(...ms: readonly number[]) {
  const ranks = madeJob({ranks: ms.length, steps: 2, callsPerStep: 1}).map((rank, at) => ({
    ...rank,
    ranges: Number.isNaN(ms[at])
      ? []
      : [0, 1].map(layer => ({
          ...{name: `layer_${String(layer)}`, gpuWorkNs: (ms[at] ?? 0) * 1e6, cpuWallNs: 1, cpuSelfNs: 1},
        })),
  }));
  return jobView(jobFacts(ranks));
}
const layers = [['layer_', '']];

describe('a line over the ranks of a job', () => {
  it('has the sum of its ranges a step, and names a rank that is slower than the others differ', () => {
    // By hand: 10, 10.2, 9.9, 10.1 and 12 ms; the others' median is 10.05, their scatter 0.1.
    const found = lineRanks(view(10, 10.2, 9.9, 10.1, 12), layers);
    expect(found).toMatchObject({
      ranks: 5,
      minNs: 9.9e6,
      maxNs: 12e6,
      medianNs: 10.1e6,
      fastestRank: 2,
      slowestRank: 4,
    });
    expect(found?.meanNs).toBeCloseTo(10.44e6, 3);
    expect(found?.slowerBy).toBeCloseTo(1.95 / 10.05, 9);
    expect(found && lineRanksText(found, 'mean')).toBe('mean of 5 ranks 10.4 ms/step · rank 4 is 19.4 % slower here');
    expect(found && lineRanksText(found, 'slowest')).toBe(
      'slowest of 5 ranks 12.0 ms/step (rank 4) · rank 4 is 19.4 % slower here',
    );
    expect(found && lineRanksText(found, 'off')).toBe('');
    expect(found && lineRanksSpread(found)).toBe(
      'Over 5 ranks: least 9.90 ms/step (rank 2), median 10.1 ms/step, mean 10.4 ms/step, most 12.0 ms/step (rank 4).',
    );
  });

  it.each([
    ['ranks that scatter as far', [8, 10, 12, 14, 15]],
    ['a difference below 5 %', [10, 10, 10, 10, 10.4]],
    ['three ranks, whose scatter is not known', [10, 10, 12]],
    ['nothing at all', [0, 0, 0, 0]],
  ])('names no rank in %s', (_, ms) => {
    expect(lineRanks(view(...ms), layers)?.slowerBy).toBeNull();
  });

  it('is of the ranks that have one of its ranges, two at least', () => {
    expect(lineRanks(view(10, NaN, 12), layers)).toMatchObject({ranks: 2, slowestRank: 2});
    expect(lineRanks(view(10, NaN), layers)).toBeNull();
    expect(lineRanks(view(10, 12), [['other']])).toBeNull();
  });

  it('says nothing where one of its ranges is not among those that a view has', () => {
    const [first, second] = madeJob({ranks: 2, steps: 1, callsPerStep: 1}).map((rank, at) => ({
      ...rank,
      ranges: Array.from({length: 201}, (__, range) => ({
        ...{name: `range_${String(range)}`, gpuWorkNs: range * (1 + at), cpuWallNs: 1, cpuSelfNs: 1},
      })),
    }));
    if (!first || !second) throw new Error('two ranks');
    const many = jobView(jobFacts([first, second]));
    expect(lineRanks(many, [['range_200']])?.maxNs).toBe(400);
    expect(lineRanks(many, [['range_0']])).toBeNull();
  });
});
