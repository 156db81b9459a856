import {say} from '../base/say.js';
import {counted} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {greatest, least} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import {waitsOfCall} from './call-waits.js';
import type {JobRank} from './job-rank.js';
import type {MatchedCall} from './match-calls.js';
import {median} from '../base/median.js';
import {whatInstead, type JobEvidence} from './what-instead.js';

/** The rank that delays the others. */
export interface Culprit {
  readonly rank: number;
  readonly evidence: readonly JobEvidence[];
}

/** Fewer steps could agree by chance. */
const leastSteps = 3;
/** The others must wait for it at least this share of a step, in the median. */
const leastShare = 0.05;
/** The greatest probability that equal ranks would produce one that arrives last as often. */
const mostChance = 0.01;
/** Below 8 steps, counting cannot exclude chance: instead, each step must show at least this share. */
const fewSteps = {below: 8, leastShare: 0.1};
const veryFewSteps = {below: 5, leastShare: 0.3};

/**
 * Returns the rank that the others wait for: the one that waits least in collectives, in enough steps, by more than
 * noise; null if there is none.
 *
 * @param matched the calls of the job
 * @see docs/metrics.md#job-culprit
 */
export function findCulprit(ranks: readonly JobRank[], matched: readonly MatchedCall[]): Culprit | null {
  const steps = marginsBySteps(ranks, matched);
  if (steps.length < leastSteps) return null;
  const stepNs = median(ranks.flatMap(rank => rank.steps.map(({startNs, endNs}) => endNs - startNs)));
  const medians = ranks.map((_, rank) => median(steps.map(margins => margins[rank])));
  const suspect = medians.indexOf(greatest(medians));
  const margins = steps.map(step => step[suspect]);
  const leads = steps.filter(step => step[suspect] === greatest(step)).length;
  // Chance could put any of the ranks first.
  const chance = ranks.length * binomialTail(steps.length, leads, 1 / ranks.length);
  if (!isBeyondNoise(margins, chance, stepNs)) return null;
  return {rank: ranks[suspect].rank, evidence: evidenceOf(ranks, suspect, median(margins), steps.length)};
}

/**
 * Returns why `findCulprit` cannot judge a job, as a sentence; null if it can.
 *
 * @param matched the calls of the job
 */
export function whyNotJudged(ranks: readonly JobRank[], matched: readonly MatchedCall[]): string | null {
  if (ranks.length < 2) return say('GPU Lens cannot tell whether a rank holds the others up: only one rank is here.');
  const shared = new Set<number>();
  for (const call of matched) {
    const number = stepNumber(ranks, call);
    if (number !== null) shared.add(number);
    if (shared.size >= leastSteps) return null;
  }
  if (shared.size === 0) {
    return say(
      'GPU Lens cannot tell whether a rank holds the others up: the ranks share no collective call within a step.',
    );
  }
  return counted(
    shared.size,
    'GPU Lens cannot tell whether a rank holds the others up: the ranks share collective calls in only one step, and {1} are needed.',
    'GPU Lens cannot tell whether a rank holds the others up: the ranks share collective calls in only {0} steps, and {1} are needed.',
    leastSteps,
  );
}

/**
 * Returns, for each step, by how much the other ranks of each rank's groups wait longer than it: the median of the
 * others' waiting, less its own, summed over calls.
 */
function marginsBySteps(ranks: readonly JobRank[], matched: readonly MatchedCall[]): Float64Array[] {
  const bySteps = new Map<number, Float64Array>();
  for (const call of matched) {
    const number = stepNumber(ranks, call);
    if (number === null) continue;
    const margins = getOrAdd(bySteps, number, () => new Float64Array(ranks.length));
    const waits = [...waitsOfCall(call)].sort(([, one], [, other]) => one - other);
    waits.forEach(([rank, ns], at) => {
      margins[rank] += medianBut(waits, at) - ns;
    });
  }
  return [...bySteps.values()];
}

/** Returns the median of sorted values, skipping one of them. */
function medianBut(sorted: readonly (readonly [rank: number, ns: number])[], skipped: number): number {
  const valueAt = (place: number) => sorted[place < skipped ? place : place + 1][1];
  const others = sorted.length - 1;
  const middle = others >> 1;
  return others % 2 === 1 ? valueAt(middle) : (valueAt(middle - 1) + valueAt(middle)) / 2;
}

/** Returns the number of the step in which the ranks made a call; null if they differ, or the call is in no step. */
function stepNumber(ranks: readonly JobRank[], {parts}: MatchedCall): number | null {
  let found: number | null = null;
  for (const [rank, {step}] of parts) {
    if (step < 0) return null;
    const {number} = ranks[rank].steps[step];
    if (found !== null && number !== found) return null;
    found = number;
  }
  return found;
}

/** @param chance the probability that, among equal ranks, one arrives last in as many steps */
function isBeyondNoise(margins: readonly number[], chance: number, stepNs: number): boolean {
  for (const few of [veryFewSteps, fewSteps]) {
    if (margins.length < few.below) return least(margins) >= few.leastShare * stepNs;
  }
  const middle = median(margins);
  const scatter = median(margins.map(ns => Math.abs(ns - middle)));
  return middle >= leastShare * stepNs && middle > 2 * scatter && chance <= mostChance;
}

/** Returns the probability that an event of this probability happens at least `times` times in `tries`. */
function binomialTail(tries: number, times: number, probability: number): number {
  let term = (1 - probability) ** tries;
  let tail = 0;
  for (let k = 0; k <= tries; k++) {
    if (k >= times) tail += term;
    term *= ((tries - k) / (k + 1)) * (probability / (1 - probability));
  }
  return tail;
}

function evidenceOf(ranks: readonly JobRank[], suspect: number, marginNs: number, steps: number): JobEvidence[] {
  const {rank} = ranks[suspect];
  const waits = say(
    'In {0} steps the other ranks wait {1} longer a step than rank {2} does (median).',
    steps,
    formatDuration(marginNs),
    rank,
  );
  return [{text: waits, valueNs: marginNs}, ...whatInstead(ranks, suspect, marginNs)];
}
