import {describe, expect, it} from 'vitest';
import {jobLines} from '../../../src/core/job/job-lines.js';
import type {JobRank} from '../../../src/core/job/job-rank.js';
import {jobReport} from '../../../src/core/job/job-report.js';
import {madeJob, type MadeJob} from '../../support/job-ranks.js';

const clean: MadeJob = {ranks: 4, steps: 10, callsPerStep: 3, scatterNs: 2000};

describe('the clocks of a job', () => {
  // Up to two seconds apart in both directions.
  const aheadNs = (rank: number) => (rank === 0 ? 0 : (rank % 2 === 0 ? 1 : -1) * rank * 15_625_431);
  const fastPpm = (rank: number) => (rank % 5) * 4 - 8;

  it('of 128 ranks are found to 1 µs, with their drift', () => {
    // The first rank's clock is the measure of all others.
    const drifts = (rank: number) => (rank === 0 ? 0 : fastPpm(rank));
    const {ranks, alignedBy, notes} = jobReport(
      madeJob({...clean, ranks: 128, steps: 20, aheadNs, fastPpm: drifts, scatterNs: 1000}),
    );
    expect(alignedBy).toBe('collectives');
    expect(notes).toEqual([]);
    for (const {rank, offsetNs, driftPpm, residualNs} of ranks) {
      expect(Math.abs(offsetNs + aheadNs(rank))).toBeLessThan(1000);
      expect(Math.abs(driftPpm + drifts(rank))).toBeLessThan(0.5);
      expect(residualNs).toBeLessThan(1000);
    }
  });

  it('are found where three in ten calls are matched to another one, and where numbers are missing', () => {
    const job = madeJob({...clean, steps: 20, aheadNs, hasSequence: false});
    const damaged = job.map((one, rank) => ({
      ...one,
      calls: one.calls.map((call, at) =>
        rank === 2 && at % 10 < 3 ? {...call, endNs: call.endNs + 40e6 * (1 + (at % 7))} : call,
      ),
    }));
    for (const {rank, offsetNs} of jobReport(damaged).ranks)
      expect(Math.abs(offsetNs + aheadNs(rank))).toBeLessThan(2000);
  });

  it('are found through another rank where one shares no group with the first', () => {
    const job = madeJob({...clean, aheadNs});
    // Groups of {0, 1}, {1, 2} and {2, 3}.
    const chained = job.map((one, rank) => ({
      ...one,
      calls: one.calls.flatMap(call =>
        [rank - 1, rank]
          .filter(group => group >= 0 && group < 3)
          .map(group => ({...call, group: `pair${String(group)}`, groupSize: 2})),
      ),
    }));
    const {ranks, alignedBy} = jobReport(chained);
    expect(alignedBy).toBe('collectives');
    for (const {rank, offsetNs} of ranks) expect(Math.abs(offsetNs + aheadNs(rank))).toBeLessThan(5000);
  });

  it.each([
    ['ends of calls are further than 1 ms apart', {...clean, scatterNs: 20e6}],
    ['ranks only exchange with all others', {...clean, operation: 'all_to_all'}],
  ] as const)('are those of the machines where %s, and that is said', (_, job) => {
    const {ranks, alignedBy, notes} = jobReport(madeJob(job));
    expect(alignedBy).toBe('wall clock');
    expect(ranks.slice(1).map(({offsetNs, residualNs}) => [offsetNs, residualNs])).toEqual(Array(3).fill([0, null]));
    expect(notes.map(({code}) => code)).toEqual(['job/wall-clock']);
  });
});

describe('the rank that holds the others up', () => {
  it('is nobody in a clean run, nor where another rank is late in each step', () => {
    expect(jobReport(madeJob(clean)).culprit).toBeNull();
    const inTurn = (rank: number, step: number) => (step % 4 === rank ? 30e6 : 0);
    expect(jobReport(madeJob({...clean, lateNs: inTurn})).culprit).toBeNull();
  });

  it('is not called nobody where no step can be judged: the first line and a note say why', () => {
    const firstLine = (job: readonly JobRank[]) => jobLines(jobReport(job))[0];
    const unknown = 'GPU Lens cannot tell whether a rank holds the others up:';
    const without = madeJob(clean).map(rank => ({...rank, calls: []}));
    expect(firstLine(madeJob({...clean, steps: 2}))).toBe(
      `${unknown} the ranks share collective calls in only 2 steps, and 3 are needed.`,
    );
    expect(firstLine(without)).toBe(`${unknown} the ranks share no collective call within a step.`);
    expect(firstLine(without.slice(0, 1))).toBe(`${unknown} only one rank is here.`);
    expect(jobReport(without).notes.map(({code}) => code)).toContain('job/not-judged');
    expect(firstLine(madeJob(clean))).toBe('No rank holds the others up, beyond noise.');
  });

  it.each([2, 4, 32])('is the one of %i that is late in each step, with how long the others wait', ranks => {
    const lateNs = (rank: number) => (rank === 1 ? 30e6 : 0);
    const {culprit, ranks: reported} = jobReport(madeJob({...clean, ranks, lateNs}));
    expect(culprit?.rank).toBe(1);
    expect(culprit?.evidence[0]?.valueNs).toBeGreaterThan(29.9e6);
    expect(culprit?.evidence[0]?.valueNs).toBeLessThan(30.1e6);
    expect(culprit?.evidence[1]?.text).toContain('does not show what it did instead');
    expect(reported.map(({waitNs}) => Math.round((waitNs ?? NaN) / 1e8))).toEqual(
      Array.from({length: ranks}, (_, rank) => (rank === 1 ? 0 : 3)),
    );
  });

  it('is named with what takes longer on it', () => {
    const lateNs = (rank: number) => (rank === 2 ? 30e6 : 0);
    const job = madeJob({...clean, lateNs}).map((one, rank) => ({
      ...one,
      ranges: [
        {name: 'forward', gpuWorkNs: null, cpuWallNs: 100e6, cpuSelfNs: 50e6},
        {name: 'load batch', gpuWorkNs: null, cpuWallNs: 10e6, cpuSelfNs: rank === 2 ? 310e6 : 10e6},
      ],
    }));
    const {culprit} = jobReport(job);
    expect(culprit?.evidence[1]).toEqual({
      text: '"load batch" itself takes the CPU 30.0 ms longer a step than on the median rank.',
      valueNs: 30e6,
    });
  });

  it('is named with the kernel and the data loader that take longer on it, the longest first, and not with waiting', () => {
    const lateNs = (rank: number) => (rank === 2 ? 30e6 : 0);
    const job = madeJob({...clean, lateNs}).map((one, rank) => ({
      ...one,
      ranges: [{name: 'nccl:all_reduce', gpuWorkNs: rank === 2 ? 900e6 : 1e6, cpuWallNs: 1e6, cpuSelfNs: 1e6}],
      kernels: [
        {name: 'ncclDevKernel_AllReduce_Sum_f32_RING_LL', count: 30, gpuWorkNs: rank === 2 ? 900e6 : 60e6},
        {name: 'void slow_kernel<float>(float*)', count: 10, gpuWorkNs: rank === 2 ? 150e6 : 50e6},
      ],
      parts: [
        {part: 'communication' as const, ns: rank === 2 ? 900e6 : 60e6},
        {part: 'idle/loader' as const, ns: rank === 2 ? 220e6 : 20e6},
        {part: 'idle/launch' as const, ns: rank === 2 ? 25e6 : 20e6},
      ],
    }));
    const [, ...instead] = jobReport(job).culprit?.evidence ?? [];
    expect(instead).toEqual([
      {text: '“Idle: data loader” takes 20.0 ms longer a step than on the median rank.', valueNs: 20e6},
      {text: 'The kernel slow_kernel<float> takes 10.0 ms longer a step than on the median rank.', valueNs: 10e6},
    ]);
  });

  it('needs three steps, and a larger part of each the fewer they are', () => {
    const named = (steps: number, lateMs: number) =>
      jobReport(madeJob({...clean, steps, lateNs: rank => (rank === 1 ? lateMs * 1e6 : 0)})).culprit?.rank;
    // Of steps of 100 ms.
    expect([2, 3, 4].map(steps => named(steps, 40))).toEqual([undefined, 1, 1]);
    expect([3, 4, 5, 7].map(steps => named(steps, 20))).toEqual([undefined, undefined, 1, 1]);
    expect([5, 7, 8, 20].map(steps => named(steps, 6))).toEqual([undefined, undefined, 1, 1]);
    expect([8, 20].map(steps => named(steps, 4))).toEqual([undefined, undefined]);
  });
});

describe('a job', () => {
  it('says which ranks are missing, and that waiting is at least what is shown', () => {
    const {missing, notes} = jobReport(madeJob(clean).filter(({rank}) => rank !== 2));
    expect(missing).toEqual([2]);
    expect(notes.map(({code}) => code)).toEqual(['job/missing', 'job/partial-collectives']);
  });

  it('has the spread of each step and range, with the slowest rank', () => {
    const job = madeJob({...clean, steps: 2}).map((one, rank) => ({
      ...one,
      ranges: [{name: 'forward', gpuWorkNs: 2e6 * (rank + 1), cpuWallNs: 1, cpuSelfNs: 1}],
      steps: one.steps.map(step => ({...step, endNs: step.startNs + 1e6 * (10 - rank)})),
    }));
    const {steps, ranges, rangesAre} = jobReport(job);
    expect(rangesAre).toEqual({measure: 'gpuWork', per: 'step'});
    expect(ranges).toEqual([{name: 'forward', minNs: 1e6, medianNs: 2.5e6, maxNs: 4e6, slowestRank: 3, ranks: 4}]);
    expect(steps).toEqual(
      [0, 1].map(step => ({step, minNs: 7e6, medianNs: 8.5e6, maxNs: 10e6, slowestRank: 0, ranks: 4})),
    );
  });

  it('is refused where two profiles are of one rank, or of jobs of different sizes', () => {
    const [first, second] = madeJob({...clean, ranks: 2});
    if (!first || !second) throw new Error('two ranks');
    expect(() => jobReport([first, {...second, rank: 0}])).toThrow('rank0.json and rank1.json are both rank 0');
    expect(() => jobReport([first, {...second, worldSize: 8}])).toThrow('one of 2 ranks, another of 8 ranks');
  });
});
