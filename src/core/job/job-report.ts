import {formatDuration} from '../format/duration.js';
import {say} from '../base/say.js';
import {counted} from '../format/count.js';
import {TraceError} from '../base/errors.js';
import {alignClocks, type ClockAlignment} from './align-clocks.js';
import {collectiveWaits, type CollectiveWaits} from './call-waits.js';
import {findCulprit, whyNotJudged, type Culprit} from './find-culprit.js';
import {expertLoads, type ExpertLoad} from './expert-loads.js';
import type {JobRank, RankPart} from './job-rank.js';
import {kernelSpreads, type KernelSpread} from './kernel-spread.js';
import type {RankOverlap} from './rank-overlap.js';
import {groupedExperts, type GroupedExperts} from './grouped-experts.js';
import {layerExchanges, type LayerExchange} from './layer-exchanges.js';
import {matchCalls, type MatchedCall} from './match-calls.js';
import {withoutUnclearMpi} from './mpi-calls.js';
import {
  rangeMeasure,
  rangeSpreads,
  stepSpreads,
  type RangeMeasure,
  type RangeSpread,
  type StepSpread,
} from './rank-spread.js';

/** A rank of a job, with the alignment of its clock. */
export interface ReportedRank extends ClockAlignment {
  readonly rank: number;
  readonly host: string | null;
  /** Its GPU; null if the profile names none, or several. */
  readonly device: string | null;
  readonly file: string;
  /** Its number of steps. */
  readonly steps: number;
  /** Time in collectives spent waiting for other loaded ranks, ns; null if it shares no call with one. */
  readonly waitNs: number | null;
  readonly overlap: RankOverlap | null;
  /** Split of its time; empty if its profile does not give it by rank. */
  readonly parts: readonly RankPart[];
}

/** A caveat that a reader of the figures must know. */
export interface JobNote {
  readonly code: string;
  readonly text: string;
}

/** Several ranks as one job. Times are ns. */
export interface JobReport {
  readonly ranks: readonly ReportedRank[];
  /** Ranks of the job without a loaded profile. */
  readonly missing: readonly number[];
  readonly alignedBy: 'collectives' | 'wall clock';
  readonly culprit: Culprit | null;
  readonly steps: readonly StepSpread[];
  readonly rangesAre: RangeMeasure;
  readonly ranges: readonly RangeSpread[];
  readonly kernels: readonly KernelSpread[];
  readonly collectives: readonly CollectiveWaits[];
  /** Layers with experts, the worst balanced first. */
  readonly experts: readonly ExpertLoad[];
  /** Layers whose experts grouped products compute, the worst balanced first. */
  readonly grouped: readonly GroupedExperts[];
  /** All-to-all calls by layer, the longest first. */
  readonly exchanges: readonly LayerExchange[];
  readonly notes: readonly JobNote[];
}

/**
 * Returns the report of a job's ranks.
 *
 * @param unordered in any order
 * @throws TraceError `ranks/other-job` if two profiles are of one rank, or their jobs differ in size
 * @see docs/metrics.md#job
 */
export function jobReport(unordered: readonly JobRank[]): JobReport {
  return reportOf(jobFacts(unordered));
}

/** The ranks of a job in order, and their matched calls. */
export interface JobFacts {
  readonly ranks: readonly JobRank[];
  /** 0 if no profile records it. */
  readonly worldSize: number;
  readonly matched: readonly MatchedCall[];
  /** Number of MPI calls left out, because it is unclear which belong together. */
  readonly leftOutMpi: number;
}

/** @throws TraceError as for `jobReport` */
export function jobFacts(unordered: readonly JobRank[]): JobFacts {
  const {ranks, leftOutMpi} = withoutUnclearMpi([...unordered].sort((a, b) => a.rank - b.rank));
  return {ranks, worldSize: jobSize(ranks), matched: matchCalls(ranks), leftOutMpi};
}

/** Returns the report for `jobReport`. */
export function reportOf({ranks, worldSize, matched, leftOutMpi}: JobFacts): JobReport {
  const clocks = alignClocks(ranks, matched);
  const collectives = collectiveWaits(ranks, matched);
  const isAligned = clocks.every(({residualNs}) => residualNs !== null);
  const present = new Set(ranks.map(({rank}) => rank));
  const missing = Array.from({length: worldSize}, (_, rank) => rank).filter(rank => !present.has(rank));
  return {
    ranks: ranks.map(({rank, host, device, file, steps, overlap, parts}, at) => ({
      ...{rank, host, device, file, steps: steps.length, ...clocks[at]},
      ...{waitNs: waitOf(collectives, rank), overlap, parts},
    })),
    missing,
    alignedBy: isAligned ? 'collectives' : 'wall clock',
    culprit: findCulprit(ranks, matched),
    steps: stepSpreads(ranks),
    rangesAre: rangeMeasure(ranks),
    ranges: rangeSpreads(ranks),
    kernels: kernelSpreads(ranks),
    collectives,
    experts: expertLoads(ranks),
    grouped: groupedExperts(ranks),
    exchanges: layerExchanges(ranks),
    notes: [...verdictNotes(ranks, matched), ...notesOf(ranks, missing, clocks, collectives), ...mpiNotes(leftOutMpi)],
  };
}

/** A corrupt file can claim any size: no job has more ranks than this. */
const mostRanks = 1_000_000;

/**
 * Returns the size of the job that some ranks belong to; 0 if no profile records it.
 *
 * @throws TraceError `ranks/other-job` as for `jobReport`
 */
export function jobSize(ranks: readonly JobRank[]): number {
  const known = new Map<number, string>();
  for (const {rank, file} of ranks) {
    const before = known.get(rank);
    known.set(rank, file);
    if (before === undefined) continue;
    throw new TraceError(
      'ranks/other-job',
      say('{0} and {1} are both rank {2}: name each rank once.', before, file, rank),
    );
  }
  const told = ranks.flatMap(({worldSize}) => (worldSize === null ? [] : [worldSize]));
  const [size = 0] = told;
  const absurd = told.find(one => !Number.isSafeInteger(one) || one < 0 || one > mostRanks);
  if (absurd !== undefined) {
    throw new TraceError(
      'ranks/other-job',
      say('A profile says that its job has {0} ranks, which no job has.', absurd),
    );
  }
  const other = told.find(one => one !== size);
  if (other === undefined) return size;
  throw new TraceError(
    'ranks/other-job',
    say(
      'These are ranks of different jobs: one of {0}, another of {1}.',
      counted(size, '{0} rank', '{0} ranks'),
      counted(other, '{0} rank', '{0} ranks'),
    ),
  );
}

function waitOf(collectives: readonly CollectiveWaits[], rank: number): number | null {
  const own = collectives.flatMap(({waitNs}) => (Object.hasOwn(waitNs, String(rank)) ? [waitNs[String(rank)]] : []));
  return own.length === 0 ? null : own.reduce((sum, ns) => sum + ns, 0);
}

function verdictNotes(ranks: readonly JobRank[], matched: readonly MatchedCall[]): JobNote[] {
  const text = whyNotJudged(ranks, matched);
  return text === null ? [] : [{code: 'job/not-judged', text}];
}

function notesOf(
  ranks: readonly JobRank[],
  missing: readonly number[],
  clocks: readonly ClockAlignment[],
  collectives: readonly CollectiveWaits[],
): JobNote[] {
  const notes: JobNote[] = [];
  const assumed = ranks.filter(({rankFrom}) => rankFrom !== 'profile');
  if (missing.length > 0) {
    notes.push({
      code: 'job/missing',
      text: counted(
        missing.length,
        '{0} rank of the job has no profile here: {1}.',
        '{0} ranks of the job have no profile here: {1}.',
        listed(missing),
      ),
    });
  }
  if (assumed.length > 0) {
    const text = counted(
      assumed.length,
      'The profile of {0} rank does not tell which rank it is: it was taken from its name or its order.',
      'The profiles of {0} ranks do not tell which rank they are: it was taken from their names or their order.',
    );
    notes.push({code: 'job/assumed-ranks', text});
  }
  const unaligned = ranks.filter(
    (rank, at) => clocks[at].residualNs === null && !(rank.process !== null && rank.file === ranks[0].file),
  );
  if (unaligned.length > 0) {
    const numbers = listed(unaligned.map(({rank}) => rank));
    const text = unaligned.every(({isTimeOfDay}) => isTimeOfDay)
      ? counted(
          unaligned.length,
          'No collectives that end together align rank {1} within {2}: its times are by the time of day.',
          'No collectives that end together align ranks {1} within {2}: their times are by the time of day.',
          ...[numbers, formatDuration(1e6)],
        )
      : counted(
          unaligned.length,
          'No collectives that end together align rank {1} within {2}: its times are by when each recording began.',
          'No collectives that end together align ranks {1} within {2}: their times are by when each recording began.',
          ...[numbers, formatDuration(1e6)],
        );
    notes.push({code: 'job/wall-clock', text});
  } else if (clocks.some(({residualNs}) => residualNs === null)) {
    const text = say('The ranks of {0} were recorded together: their times are by one clock.', ranks[0].file);
    notes.push({code: 'job/one-clock', text});
  }
  const partial = collectives.reduce((sum, {count, wholeCount}) => sum + count - wholeCount, 0);
  if (partial > 0) {
    const text = counted(
      partial,
      'A rank of the group is missing in {0} collective call. It may have been the last one, so the waiting is at least what is shown.',
      'A rank of the group is missing in {0} collective calls. It may have been the last one, so the waiting is at least what is shown.',
    );
    notes.push({code: 'job/partial-collectives', text});
  }
  return notes;
}

function mpiNotes(leftOut: number): JobNote[] {
  if (leftOut === 0) return [];
  const text = counted(
    leftOut,
    '{0} collective call of MPI is left out: the reports do not tell which of them belong together.',
    '{0} collective calls of MPI are left out: the reports do not tell which of them belong together.',
  );
  return [{code: 'job/mpi-left-out', text}];
}

/** Formats numbers for a sentence; only the first ten if there are more. */
function listed(numbers: readonly number[]): string {
  const shown = numbers.slice(0, 10).join(', ');
  return numbers.length > 10 ? say('{0}, … ({1} in all)', shown, numbers.length) : shown;
}
