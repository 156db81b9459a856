import {buckets} from '../../src/core/attribution/site-chains.js';
import {kindIndex, taggedRangeKinds, kindMask} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';

/** The figures of a row of ranges, by their definitions only: every pair is compared. */
export interface NaiveRow {
  gpuWorkNs: number;
  gpuSelfNs: number;
  gpuBusyNs: number;
  backwardGpuWorkNs: number;
  backwardGpuSelfNs: number;
  ops: number;
}

/** Slices of a trace as objects. */
interface Interval {
  readonly row: number;
  readonly track: number;
  readonly process: number;
  readonly name: string;
  readonly startNs: number;
  readonly endNs: number;
}

interface Operator extends Interval {
  readonly externalId: number;
  readonly sequence: number;
  readonly forwardThread: number;
}

/** The places where one operation is counted. */
interface Placed {
  readonly operation: Interval;
  readonly device: number;
  /**
   * Ranges that count it as forward work, ranges that count it as backward work, and its owner: a range or a bucket.
   */
  readonly forward: readonly Interval[];
  readonly backward: readonly Interval[];
  readonly owner: Interval | string;
  readonly isBackward: boolean;
}

/** Returns rows by name, as `rangeRows(trace, 'name')` defines them, in time quadratic in the trace's size. */
export function naiveRowsByName(trace: Trace): Map<string, NaiveRow> {
  const placed = placeOperations(trace);
  const rows = new Map<string, NaiveRow>();
  const names = new Set([...buckets, ...rangesOf(trace).map(({name}) => name)]);
  for (const name of names) {
    const isIn = (ranges: readonly Interval[]) => ranges.some(range => range.name === name);
    const owns = ({owner}: Placed) => (typeof owner === 'string' ? owner : owner.name) === name;
    const isBucket = (place: Placed) => place.owner === name;
    const backward = placed.filter(place => place.isBackward && (isIn(place.backward) || isBucket(place)));
    const forward = placed.filter(
      place => !backward.includes(place) && (isIn(place.forward) || (isBucket(place) && !place.isBackward)),
    );
    rows.set(name, {
      gpuWorkNs: workNs(forward),
      gpuSelfNs: workNs(placed.filter(place => owns(place) && !place.isBackward)),
      gpuBusyNs: coveredNs(forward),
      backwardGpuWorkNs: workNs(backward),
      backwardGpuSelfNs: workNs(placed.filter(place => owns(place) && place.isBackward)),
      ops: forward.length,
    });
  }
  return rows;
}

function placeOperations(trace: Trace): Placed[] {
  const {slices, gpuOperations} = trace;
  const ranges = rangesOf(trace);
  const isOverlay = ({row}: Interval) => slices.kind[row] === kindIndex.nvtx_startend;
  const operators = operatorsOf(trace);
  const threads = forwardThreads(trace, operators);
  const isAutograd = autogradTracks(operators);
  return Array.from({length: gpuOperations.length}, (_, index) => {
    const operation = interval(trace, gpuOperations.slice[index] ?? -1);
    const device = gpuOperations.device[index] ?? -1;
    const site = siteOf(trace, index, operators);
    if (!site) {
      return {operation, device, forward: [], backward: [], owner: '(no launch call)', isBackward: false};
    }
    const own = ranges.filter(range => !isOverlay(range) && range.track === site.track && encloses(range, site));
    const overlay = ranges.filter(range => isOverlay(range) && range.process === site.process && encloses(range, site));
    const nearest = shortest(own);
    const around = backwardAround(site);
    const forwardOperator = forwardFor(site);
    if (!forwardOperator) {
      const bucket = around.length > 0 || isAutograd(site.track) ? '(backward, unmatched)' : '(outside any range)';
      return {
        operation,
        device,
        forward: [...own, ...overlay],
        backward: [],
        owner: nearest ?? bucket,
        isBackward: false,
      };
    }
    const backward = ranges.filter(
      range => !isOverlay(range) && range.track === forwardOperator.track && encloses(range, forwardOperator),
    );
    const owner = shortest(backward) ?? '(outside any range)';
    return {operation, device, forward: [...own, ...overlay], backward, owner, isBackward: true};
  });

  function backwardAround(site: Interval): Operator[] {
    return operators.filter(
      operator => operator.forwardThread > 0 && operator.track === site.track && encloses(operator, site),
    );
  }

  /** That of the innermost backward operator inside the nearest range, followed further if it was itself run again. */
  function forwardFor(site: Interval, isAgain = false): Operator | undefined {
    const nearest = shortest(
      ranges.filter(range => !isOverlay(range) && range.track === site.track && encloses(range, site)),
    );
    const found = backwardAround(site)
      .filter(operator => !nearest || lengthOf(operator) <= lengthOf(nearest))
      .map(operator => forwardOf(operator, operators, threads))
      .filter(forward => forward !== null && (!isAgain || forward.startNs < site.startNs))
      .at(-1);
    return found ? (forwardFor(found, true) ?? found) : undefined;
  }
}

/** The call with the operation's correlation id, else the operator with its external id. */
function siteOf(trace: Trace, index: number, operators: readonly Operator[]): Interval | null {
  const {slices, gpuOperations, apiCalls} = trace;
  const correlation = gpuOperations.correlation[index] ?? -1;
  const startNs = slices.startNs[gpuOperations.slice[index] ?? -1] ?? NaN;
  const calls = Array.from(apiCalls.slice, (row, call) => ({...interval(trace, row), call})).filter(
    ({call}) =>
      correlation !== -1 &&
      apiCalls.correlation[call] === correlation &&
      apiCalls.process[call] === gpuOperations.process[index],
  );
  const before = calls.filter(call => call.startNs <= startNs);
  const latestNs = Math.max(...before.map(call => call.startNs));
  const earliestNs = Math.min(...calls.map(call => call.startNs));
  const call = calls.find(({startNs: callNs}) => callNs === (before.length > 0 ? latestNs : earliestNs));
  if (call) return call;
  const externalId = gpuOperations.externalId[index] ?? -1;
  if (externalId === -1 || externalId === correlation) return null;
  return operators.filter(operator => operator.externalId === externalId && operator.startNs <= startNs).at(-1) ?? null;
}

function forwardOf(
  {sequence, forwardThread, startNs, process}: Operator,
  operators: readonly Operator[],
  threads: ReadonlyMap<number, number>,
): Operator | null {
  if (sequence < 0) return null;
  const track = threads.get(forwardThread);
  const candidates = operators.filter(
    other =>
      other.forwardThread === 0 &&
      other.sequence === sequence &&
      other.process === process &&
      other.startNs <= startNs &&
      (track === undefined || other.track === track),
  );
  const latestNs = Math.max(...candidates.map(other => other.startNs));
  return candidates.filter(other => other.startNs === latestNs).at(-1) ?? null;
}

/** Returns the tracks of forward thread numbers by the majority of flows; among equals, the first. */
function forwardThreads({forwardBackward, slices}: Trace, operators: readonly Operator[]): Map<number, number> {
  const votes = new Map<number, Map<number, number>>();
  for (let i = 0; i < forwardBackward.length; i += 2) {
    const thread = operators.find(({row}) => row === forwardBackward[i + 1])?.forwardThread ?? 0;
    if (thread <= 0) continue;
    const track = slices.track[forwardBackward[i] ?? -1] ?? -1;
    const counts = votes.get(thread) ?? new Map<number, number>();
    votes.set(thread, counts.set(track, (counts.get(track) ?? 0) + 1));
  }
  return new Map(
    [...votes].map(([thread, counts]) => {
      const most = Math.max(...counts.values());
      return [thread, [...counts].find(([, count]) => count === most)?.[0] ?? -1];
    }),
  );
}

/**
 * Returns whether a track is autograd's: it has backward operators, and numbered forward ones only while a backward one
 * is open.
 */
function autogradTracks(operators: readonly Operator[]): (track: number) => boolean {
  return track => {
    const own = operators.filter(operator => operator.track === track);
    return (
      own.some(({forwardThread}) => forwardThread > 0) &&
      !own.some(
        ({forwardThread, sequence, startNs}, at) =>
          forwardThread <= 0 &&
          sequence >= 0 &&
          !own.slice(0, at).some(before => before.forwardThread > 0 && before.endNs >= startNs),
      )
    );
  };
}

function rangesOf(trace: Trace): Interval[] {
  const isRange = kindMask(taggedRangeKinds);
  return Array.from({length: trace.slices.length}, (_, row) => interval(trace, row)).filter(
    ({row}) => isRange[trace.slices.kind[row] ?? -1] === 1,
  );
}

function operatorsOf(trace: Trace): Operator[] {
  const {slice, externalId, sequence, forwardThread} = trace.operators;
  return Array.from(slice, (row, index) => ({
    ...interval(trace, row),
    externalId: externalId[index] ?? -1,
    sequence: sequence[index] ?? -1,
    forwardThread: forwardThread[index] ?? -1,
  }));
}

function interval({slices, strings, tracks}: Trace, row: number): Interval {
  const track = slices.track[row] ?? -1;
  const startNs = slices.startNs[row] ?? NaN;
  return {
    row,
    track,
    process: tracks[track]?.process ?? -1,
    name: strings.get(slices.name[row] ?? 0),
    startNs,
    endNs: startNs + (slices.durationNs[row] ?? NaN),
  };
}

function encloses(
  outer: {readonly startNs: number; readonly endNs: number},
  inner: {readonly startNs: number; readonly endNs: number},
): boolean {
  return outer.startNs <= inner.startNs && inner.endNs <= outer.endNs;
}

function lengthOf({startNs, endNs}: Interval): number {
  return endNs - startNs;
}

/** Among equals the last: rows are in order of start. */
function shortest(ranges: readonly Interval[]): Interval | undefined {
  const leastNs = Math.min(...ranges.map(lengthOf));
  return ranges.filter(range => lengthOf(range) === leastNs).at(-1);
}

function workNs(placed: readonly Placed[]): number {
  return placed.reduce((sum, {operation}) => sum + lengthOf(operation), 0);
}

/** Marks every nanosecond of every device. */
function coveredNs(placed: readonly Placed[]): number {
  const marked = new Set<string>();
  for (const {operation, device} of placed) {
    for (let ns = operation.startNs; ns < operation.endNs; ns++) marked.add(`${String(device)} ${String(ns)}`);
  }
  return marked.size;
}
