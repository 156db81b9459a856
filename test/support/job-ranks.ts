import type {JobRank, RankCall} from '../../src/core/job/job-rank.js';
import {seededRandom} from './random.js';

/** A simulated job: how each rank differs from the first. */
export interface MadeJob {
  readonly ranks: number;
  readonly steps: number;
  readonly callsPerStep: number;
  /** By rank, how far its clock is ahead at its first event, ns. */
  readonly aheadNs?: (rank: number) => number;
  /** By rank, how much faster its clock runs, in millionths. */
  readonly fastPpm?: (rank: number) => number;
  /** By rank and step, how much later it reaches the step's first collective, ns. */
  readonly lateNs?: (rank: number, step: number) => number;
  /** How far the ends of a call scatter over the ranks, ns. */
  readonly scatterNs?: number;
  readonly operation?: RankCall['operation'];
  readonly hasSequence?: boolean;
}

const stepNs = 100e6;
const transferNs = 2e6;
/** 19 November 2025, in ns: a double represents such a number only to 256 ns. */
const epochNs = 1_763_510_400_000_000_123n;

/** Returns the ranks of a simulated job, in which all ranks of a call end together on one true clock. */
export function madeJob(job: MadeJob): JobRank[] {
  const {ranks, steps, callsPerStep, lateNs = () => 0, scatterNs = 0, operation = 'all_reduce'} = job;
  const random = seededRandom(7);
  const scatter = () => Math.round(scatterNs * (random() - 0.5));
  return Array.from({length: ranks}, (_, rank): JobRank => {
    const onClock = clockOf(job, rank);
    const calls = Array.from({length: steps * callsPerStep}, (__, at): RankCall => {
      const step = Math.floor(at / callsPerStep);
      const place = at % callsPerStep;
      // Ranks arrive within a few µs of each other, except the one that is late to a step's first call.
      const latest = place === 0 ? greatestOf(ranks, other => lateNs(other, step)) : 0;
      const beginNs = step * stepNs + (place + 1) * (stepNs / (callsPerStep + 2));
      const endNs = beginNs + latest + transferNs;
      const startNs = beginNs + (place === 0 ? lateNs(rank, step) : 0) + Math.round(5e3 * random());
      const [start, end] = [onClock(startNs), onClock(endNs + scatter())];
      const sequence = job.hasSequence === false ? NaN : at + 1;
      return {
        ...{operation, group: '0', groupSize: ranks, sequence, bytes: 4096, step},
        ...{exposedNs: NaN, sentBytes: 4096, groupRanks: null, splits: null, peer: NaN, layer: null, isDispatch: false},
        mpi: null,
        ...{startNs: start, endNs: end, busyNs: end - start},
      };
    });
    return {
      ...{
        rank,
        rankFrom: 'profile',
        worldSize: ranks,
        host: null,
        device: null,
        file: `rank${String(rank)}.json`,
        process: null,
      },
      originNs: epochNs + BigInt(job.aheadNs?.(rank) ?? 0),
      isTimeOfDay: true,
      steps: Array.from({length: steps}, (__, step) => ({
        ...{number: step, startNs: onClock(step * stepNs), endNs: onClock((step + 1) * stepNs)},
      })),
      ranges: [],
      calls,
      kernels: [],
      overlap: null,
      parts: [],
      ...{tokens: [], grouped: []},
    };
  });
}

/**
 * Returns the conversion from true time since the job began to time on a rank's clock since its first event, which is
 * simultaneous on all ranks.
 */
function clockOf({fastPpm}: MadeJob, rank: number): (trueNs: number) => number {
  const rate = 1 + (fastPpm?.(rank) ?? 0) / 1e6;
  return trueNs => Math.round(trueNs * rate);
}

function greatestOf(ranks: number, of: (rank: number) => number): number {
  return Math.max(...Array.from({length: ranks}, (_, rank) => of(rank)));
}
