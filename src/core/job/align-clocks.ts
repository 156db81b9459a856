import type {CollectiveOperation} from '../figures/collective-bandwidth.js';
import {getOrAdd} from '../table/get-or-add.js';
import {fitClock, type ClockFit} from './fit-clock.js';
import type {JobRank} from './job-rank.js';
import type {MatchedCall} from './match-calls.js';

/** How a rank's clock is aligned to the first rank's. */
export interface ClockAlignment {
  /** Added to the rank's times to get the first rank's, as of its first event, ns. */
  readonly offsetNs: number;
  /** How fast the offset grows, in millionths of the elapsed time. */
  readonly driftPpm: number;
  /** Median distance between the ends of aligned calls, ns; null if no calls align the clock. */
  readonly residualNs: number | null;
}

/** Operations that no rank can leave before all have entered: they end together. */
const endTogether: ReadonlySet<CollectiveOperation> = new Set([
  'all_reduce',
  'all_gather',
  'reduce_scatter',
  'barrier',
]);

/** Calls that end further apart than this do not align clocks, ns. */
const mostResidualNs = 1e6;

/**
 * Returns the alignment of each rank's clock to the first rank's, from the calls that end together.
 *
 * A rank that shares no such calls with the first is aligned through one that does. A rank whose calls still end more
 * than 1 ms apart, or that has none, keeps its clock.
 *
 * @see docs/metrics.md#job-clocks
 */
export function alignClocks(ranks: readonly JobRank[], matched: readonly MatchedCall[]): ClockAlignment[] {
  const anchors = matched.filter(({operation}) => endTogether.has(operation));
  // Rank → offset to add to a time on its clock, as a function of time; times count from the first rank's first event.
  const toFirst = new Map<number, (timeNs: number) => number>([[0, () => 0]]);
  const residual = new Map<number, number>([[0, 0]]);
  const reach = new Reach(anchors);
  reach.add(0);
  for (let next = reach.next(); next !== null; next = reach.next()) {
    const {rank, known} = next;
    const fit = fitThrough(ranks, anchors, rank, known, toFirst.get(known) ?? (() => 0));
    if (fit === null || fit.residualNs > mostResidualNs) continue;
    toFirst.set(rank, timeNs => fit.offsetNs + fit.drift * (timeNs - fit.atNs));
    residual.set(rank, fit.residualNs);
    reach.add(rank);
  }
  return ranks.map((_, rank): ClockAlignment => {
    const add = toFirst.get(rank);
    const firstNs = onFirstOrigin(ranks, rank, 0);
    if (!add) return {offsetNs: 0, driftPpm: 0, residualNs: null};
    const drift = add(firstNs + 1e9) - add(firstNs);
    return {offsetNs: Math.round(add(firstNs)), driftPpm: drift / 1e3, residualNs: residual.get(rank) ?? null};
  });
}

/** Finds ranks that share calls with an aligned rank. Visits each call once. */
class Reach {
  readonly #callsOf = new Map<number, MatchedCall[]>();
  readonly #reached = new Set<MatchedCall>();
  readonly #tried = new Set<number>();
  /** Rank → aligned rank → number of calls that they share, excluding calls that an earlier aligned rank reached. */
  readonly #shared = new Map<number, Map<number, number>>();

  constructor(anchors: readonly MatchedCall[]) {
    for (const call of anchors) {
      for (const rank of call.parts.keys()) getOrAdd(this.#callsOf, rank, () => []).push(call);
    }
  }

  /** Marks a rank as aligned. */
  add(known: number): void {
    this.#tried.add(known);
    for (const call of this.#callsOf.get(known) ?? []) {
      if (this.#reached.has(call)) continue;
      this.#reached.add(call);
      for (const rank of call.parts.keys()) {
        const counts = getOrAdd(this.#shared, rank, () => new Map<number, number>());
        counts.set(known, (counts.get(known) ?? 0) + 1);
      }
    }
  }

  /** Returns the untried rank that shares the most calls with an aligned rank; null for none. */
  next(): {rank: number; known: number} | null {
    let best: {rank: number; known: number; count: number} | null = null;
    for (const [rank, counts] of this.#shared) {
      if (this.#tried.has(rank)) continue;
      for (const [known, count] of counts) if (count > (best?.count ?? 0)) best = {rank, known, count};
    }
    if (best !== null) this.#tried.add(best.rank);
    return best;
  }
}

function fitThrough(
  ranks: readonly JobRank[],
  anchors: readonly MatchedCall[],
  rank: number,
  known: number,
  add: (timeNs: number) => number,
): ClockFit | null {
  const points = anchors.flatMap(({parts}) => {
    const [own, other] = [parts.get(rank), parts.get(known)];
    if (!own || !other) return [];
    const otherNs = onFirstOrigin(ranks, known, other.endNs);
    const ownNs = onFirstOrigin(ranks, rank, own.endNs);
    return [[ownNs, otherNs + add(otherNs) - ownNs] as const];
  });
  points.sort(([a], [b]) => a - b);
  if (points.length === 0) return null;
  return fitClock(
    points.map(([timeNs]) => timeNs),
    points.map(([, differenceNs]) => differenceNs),
  );
}

/**
 * Converts a time of a rank to its own clock, counted from the first event of the first rank: doubles hold it to the
 * ns.
 */
function onFirstOrigin(ranks: readonly JobRank[], rank: number, timeNs: number): number {
  return Number(ranks[rank].originNs - ranks[0].originNs) + timeNs;
}
