import type {ClockAlignment} from './align-clocks.js';
import {waitsOfCall} from './call-waits.js';
import type {JobRank, RankCall} from './job-rank.js';
import type {JobFacts} from './job-report.js';

/**
 * Steps and collective calls of all ranks on one clock: ns from the first event of the first rank. Rows are ranks of
 * the report.
 */
export interface JobTimeline {
  readonly fromNs: number;
  readonly toNs: number;
  /** The most simultaneous calls of a rank, up to the limit of lanes. */
  readonly lanes: number;
  /** The kinds of calls: "all_reduce · group 0". */
  readonly kinds: readonly string[];
  /** Ordered by rank, then by start. */
  readonly calls: TimelineCalls;
  readonly steps: TimelineSteps;
  readonly clocks: readonly RowClock[];
}

/** Converts a rank's own time to the first rank's: time × `rate` + `apartNs`. */
interface RowClock {
  readonly apartNs: number;
  readonly rate: number;
}

/** Parts of ranks in collective calls. */
export interface TimelineCalls {
  readonly row: Uint32Array;
  readonly lane: Uint8Array;
  /** Index into `kinds`. */
  readonly kind: Int32Array;
  /** The same number for the parts of all ranks in a call; -1 if no other loaded rank takes part. */
  readonly call: Int32Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  /** Time that the rank waits for others, at the beginning of the call. */
  readonly waitNs: Float64Array;
}

export interface TimelineSteps {
  readonly row: Uint32Array;
  readonly number: Float64Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
}

/** More simultaneous calls than this overlap in the last lane. */
const mostLanes = 4;

/** Returns all ranks on the first rank’s clock. @see docs/metrics.md#job-timeline */
export function jobTimeline({ranks, matched}: JobFacts, clocks: readonly ClockAlignment[]): JobTimeline {
  const rowClocks = ranks.map((rank, at) => clockOf(ranks[0], rank, clocks[at]));
  const onFirst = rowClocks.map(
    ({apartNs, rate}) =>
      (timeNs: number) =>
        timeNs * rate + apartNs,
  );
  const callOf = new Map<RankCall, number>();
  const waitOf = new Map<RankCall, number>();
  matched.forEach((call, at) => {
    const waits = waitsOfCall(call);
    for (const [rank, part] of call.parts) {
      callOf.set(part, at);
      waitOf.set(part, waits.get(rank) ?? 0);
    }
  });
  const kinds = new Map<string, number>();
  const calls = emptyCalls(ranks.reduce((sum, rank) => sum + rank.calls.length, 0));
  let [at, lanes, fromNs, toNs] = [0, 1, Infinity, -Infinity];
  ranks.forEach((rank, row) => {
    const ends: number[] = [];
    for (const part of rank.calls) {
      const [startNs, endNs] = [onFirst[row](part.startNs), onFirst[row](part.endNs)];
      const free = ends.findIndex(end => end <= startNs);
      const lane = free < 0 ? Math.min(ends.length, mostLanes - 1) : free;
      ends[lane] = Math.max(endNs, ends[lane] ?? -Infinity);
      const kind = kindText(part);
      if (!kinds.has(kind)) kinds.set(kind, kinds.size);
      calls.row[at] = row;
      calls.lane[at] = lane;
      calls.kind[at] = kinds.get(kind) ?? 0;
      calls.call[at] = callOf.get(part) ?? -1;
      calls.startNs[at] = startNs;
      calls.endNs[at] = endNs;
      calls.waitNs[at++] = Math.min(waitOf.get(part) ?? 0, endNs - startNs);
      [lanes, fromNs, toNs] = [Math.max(lanes, lane + 1), Math.min(fromNs, startNs), Math.max(toNs, endNs)];
    }
  });
  const steps = stepsOf(ranks, onFirst);
  for (let step = 0; step < steps.row.length; step++) {
    [fromNs, toNs] = [Math.min(fromNs, steps.startNs[step]), Math.max(toNs, steps.endNs[step])];
  }
  const extent = fromNs < toNs ? {fromNs, toNs} : {fromNs: 0, toNs: 1};
  return {...extent, lanes, kinds: [...kinds.keys()], calls, steps, clocks: rowClocks};
}

/** Recordings whose clocks do not give the time of day are assumed to begin together. */
function clockOf(first: JobRank, rank: JobRank, clock: ClockAlignment): RowClock {
  const {offsetNs, driftPpm, residualNs} = clock;
  const isTold = residualNs !== null || (first.isTimeOfDay && rank.isTimeOfDay) || rank.file === first.file;
  const apartNs = isTold ? Number(rank.originNs - first.originNs) + offsetNs : 0;
  return {apartNs, rate: 1 + driftPpm / 1e6};
}

function kindText({operation, group}: RankCall): string {
  return group === null ? operation : `${operation} · group ${group}`;
}

function emptyCalls(length: number): TimelineCalls {
  const column = () => new Float64Array(length);
  return {
    ...{row: new Uint32Array(length), lane: new Uint8Array(length)},
    ...{kind: new Int32Array(length), call: new Int32Array(length)},
    ...{startNs: column(), endNs: column(), waitNs: column()},
  };
}

function stepsOf(ranks: readonly JobRank[], onFirst: readonly ((timeNs: number) => number)[]): TimelineSteps {
  const all = ranks.flatMap(({steps}, row) => steps.map(step => ({row, ...step})));
  return {
    row: Uint32Array.from(all, ({row}) => row),
    number: Float64Array.from(all, ({number}) => number),
    startNs: Float64Array.from(all, ({row, startNs}) => onFirst[row](startNs)),
    endNs: Float64Array.from(all, ({row, endNs}) => onFirst[row](endNs)),
  };
}
