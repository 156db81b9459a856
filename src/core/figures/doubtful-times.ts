import {launchLinks} from '../attribution/link-launches.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {getOrAdd} from '../table/get-or-add.js';
import {namesThat} from '../trace/names-that.js';
import {kindIndex} from '../trace/slices.js';
import {countedNote, countedWording, wordingOf, type TraceNote, type Wording} from '../trace/trace-note.js';
import type {Trace} from '../trace/trace.js';
import {gridRowOf, type ReportDetails} from './report-details.js';

/** Reasons to doubt the time of a GPU operation; an operation gets the first that fits. */
export const doubts = ['before-launch', 'overlap', 'long', 'past-end'] as const;
export type Doubt = (typeof doubts)[number];

/** Grids of the kernels, if they have been read. */
export type Grids = Pick<ReportDetails, 'grids' | 'gridOf'>;

/** The clocks of older profiles tick once a µs. */
const clockNs = 1000;
/** nsys writes a recording's duration in steps of 10 ms on some systems. */
const recordingTickNs = 10_000_000;
/** An operation is long if it takes this many times as long as nine in ten of its name, and at least this long. */
const longTimes = 100;
const longNs = 10_000_000;
const fewestOfName = 8;

const sentences: Readonly<Record<Doubt, (count: number) => Wording>> = {
  'before-launch': count =>
    countedWording(
      count,
      '{0} starts before the call that launched it (the clocks of CPU and GPU differ)',
      '{0} start before the calls that launched them (the clocks of CPU and GPU differ)',
    ),
  overlap: count =>
    countedWording(
      count,
      '{0} ends after the start of the next operation on the same stream',
      '{0} end after the start of the next operation on the same stream',
    ),
  long: count =>
    countedWording(
      count,
      '{0} takes over {1} times as long as nine in ten of the same name and grid',
      '{0} take over {1} times as long as nine in ten of the same name and grid',
      longTimes,
    ),
  'past-end': count => countedWording(count, '{0} ends after the recording', '{0} end after the recording'),
};

/**
 * Returns GPU operations (rows of `gpuOperations`) with implausible times, in order of start.
 *
 * @param grids without them, long kernels are compared by name alone
 * @see docs/metrics.md#doubtful-times
 */
export function doubtfulOperations(trace: Trace, grids: Grids): ReadonlyMap<number, Doubt> {
  const found = new Map<number, Doubt>();
  findPastEnd(trace, found);
  findLong(trace, grids, found);
  findOverlaps(trace, found);
  findBeforeLaunch(trace, found);
  return new Map([...found].sort(([a], [b]) => a - b));
}

/** Returns whether reading grids would help to judge kernels that take long. */
export function needsGrids(trace: Trace): boolean {
  const found = new Map<number, Doubt>();
  findLong(trace, {grids: null}, found);
  return found.size > 0;
}

/**
 * Returns a note on them, with the longest one's name and the GPU time without them; empty if all times are plausible.
 */
export function doubtfulTimesNotes(trace: Trace, grids: Grids): TraceNote[] {
  const found = doubtfulOperations(trace, grids);
  if (found.size === 0) return [];
  const {slices, gpuOperations, strings} = trace;
  const durationOf = (operation: number) => slices.durationNs[gpuOperations.slice[operation]];
  const longest = [...found.keys()].reduce((most, each) => (durationOf(each) > durationOf(most) ? each : most));
  const kinds = doubts.flatMap(doubt => {
    const count = [...found.values()].filter(other => other === doubt).length;
    return count === 0 ? [] : [sentences[doubt](count)];
  });
  const name = shortenMiddle(strings.get(slices.name[gpuOperations.slice[longest]]), 60);
  const all = gpuTime(trace, () => true);
  const rest = gpuTime(trace, operation => !found.has(operation));
  const figures = [all.workNs - rest.workNs, all.workNs, rest.workNs, rest.busyNs, all.busyNs].map(formatDuration);
  return [
    countedNote(
      'gpu/doubtful-times',
      found.size,
      'The time of {0} GPU operation is probably wrong: {1}. It is "{2}" with {3}, which is {4} of {5} of GPU work. Without it, GPU work is {6}, and the GPU is busy for {7} instead of {8}.',
      'The times of {0} GPU operations are probably wrong: {1}. The longest is "{2}" with {3}. Together they are {4} of {5} of GPU work. Without them, GPU work is {6}, and the GPU is busy for {7} instead of {8}.',
      kinds.reduce((before, next) => wordingOf('{0}; {1}', before, next)),
      name,
      formatDuration(durationOf(longest)),
      ...figures,
    ),
  ];
}

/** Returns the summed durations of some operations, and the sum over devices of the time that their union covers. */
function gpuTime(
  {slices, gpuOperations}: Trace,
  isCounted: (operation: number) => boolean,
): {workNs: number; busyNs: number} {
  const coveredToNs = new Map<number, number>();
  let [workNs, busyNs] = [0, 0];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (!isCounted(operation)) continue;
    const slice = gpuOperations.slice[operation];
    const device = gpuOperations.device[operation];
    const endNs = slices.startNs[slice] + slices.durationNs[slice];
    const coveredNs = coveredToNs.get(device) ?? -Infinity;
    workNs += slices.durationNs[slice];
    if (endNs <= coveredNs) continue;
    busyNs += endNs - Math.max(coveredNs, slices.startNs[slice]);
    coveredToNs.set(device, endNs);
  }
  return {workNs, busyNs};
}

/**
 * Finds operations that overlap the next one on their stream, which should run one after the other. Operations of one
 * graph launch may run side by side, and a kernel launched with programmatic dependent launch may start before its
 * predecessor ends.
 */
function findOverlaps(trace: Trace, found: Map<number, Doubt>): void {
  const {slices, gpuOperations} = trace;
  const {correlation, slice} = gpuOperations;
  const mayStartEarly = earlyStarts(trace);
  const streamOf = streamNumbers(gpuOperations);
  /** Stream → the operation that ended last on it, and when. */
  const last: number[] = [];
  const lastEndNs: number[] = [];
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const startNs = slices.startNs[slice[operation]];
    const endNs = startNs + slices.durationNs[slice[operation]];
    const at = streamOf(operation);
    if (at < last.length) {
      const isOfOneLaunch = correlation[last[at]] !== -1 && correlation[last[at]] === correlation[operation];
      const isMeant = () => isOfOneLaunch || (endNs >= lastEndNs[at] && mayStartEarly(operation));
      if (Math.min(lastEndNs[at], endNs) - startNs > clockNs && !isMeant()) found.set(last[at], 'overlap');
      if (endNs < lastEndNs[at]) continue;
    }
    last[at] = operation;
    lastEndNs[at] = endNs;
  }
}

/** Numbers the streams of processes and devices in order of their first operation. */
function streamNumbers({process, device, stream}: Trace['gpuOperations']): (operation: number) => number {
  const ofPlaces = new Map<string, Map<number, number>>();
  let ofPlace = new Map<number, number>();
  let [lastProcess, lastDevice] = [NaN, NaN];
  let count = 0;
  return operation => {
    // Most operations are on the same device as the one before: a comparison avoids making a key.
    if (process[operation] !== lastProcess || device[operation] !== lastDevice) {
      [lastProcess, lastDevice] = [process[operation], device[operation]];
      const key = `${String(lastProcess)} ${String(lastDevice)}`;
      ofPlace = getOrAdd(ofPlaces, key, () => new Map<number, number>());
    }
    let number = ofPlace.get(stream[operation]);
    if (number === undefined) ofPlace.set(stream[operation], (number = count++));
    return number;
  };
}

/** Calls that can request programmatic dependent launch: other calls carry no attributes. */
const launchWithAttributes = /^(cudaLaunchKernelEx|cuLaunchKernelEx)/;

/**
 * Returns whether a kernel may begin while the kernel before it on its stream still runs (programmatic dependent
 * launch, since Hopper). Profilers do not record the attribute, but only some calls can carry it.
 *
 * @see CUDA C++ Programming Guide, Programmatic Dependent Launch and Synchronization
 */
function earlyStarts(trace: Trace): (operation: number) => boolean {
  const {slices, gpuOperations, apiCalls} = trace;
  const isLaunch = namesThat(trace, name => launchWithAttributes.test(name));
  return operation => {
    if (slices.kind[gpuOperations.slice[operation]] !== kindIndex.kernel) return false;
    const call = launchLinks(trace).callOf[operation];
    return call >= 0 && isLaunch(apiCalls.slice[call]);
  };
}

/**
 * Finds kernels that take too long. Copies are left out since their time depends on their bytes, and collectives since
 * they wait for other ranks. Kernels of one name and grid are compared with each other; a kernel with a rare grid is
 * compared with all of its name, by time per thread.
 */
function findLong(trace: Trace, grids: Grids, found: Map<number, Doubt>): void {
  for (const operations of kernelsOfLongNames(trace)) {
    for (const operation of longOf(trace, grids, operations)) found.set(operation, 'long');
  }
}

function isLong({slices, gpuOperations}: Trace, operation: number): boolean {
  const slice = gpuOperations.slice[operation];
  return slices.kind[slice] === kindIndex.kernel && slices.durationNs[slice] >= longNs;
}

/** Returns the kernels of each name that has a long kernel, if there are enough to compare. */
function kernelsOfLongNames(trace: Trace): number[][] {
  const {slices, gpuOperations, strings} = trace;
  const ofName = new Map<number, number[]>();
  gpuOperations.slice.forEach((slice, operation) => {
    const name = slices.name[slice];
    const isNew = isLong(trace, operation) && !ofName.has(name);
    if (isNew && !/nccl|rccl|oneccl/i.test(strings.get(name))) ofName.set(name, []);
  });
  if (ofName.size === 0) return [];
  gpuOperations.slice.forEach((slice, operation) => ofName.get(slices.name[slice])?.push(operation));
  return [...ofName.values()].filter(operations => operations.length >= fewestOfName);
}

/** Returns the kernels of one name that take far longer than others with their grid. */
function longOf(trace: Trace, grids: Grids, operations: readonly number[]): number[] {
  const {slices, gpuOperations} = trace;
  const durationOf = (operation: number) => slices.durationNs[gpuOperations.slice[operation]];
  const timeOfThread = (operation: number) => durationOf(operation) / threadsOf(grids, operation);
  const usualOfThread = usual(operations, timeOfThread);
  const byGrid = new Map<string, number[]>();
  for (const operation of operations) getOrAdd(byGrid, gridKey(grids, operation), () => []).push(operation);
  return [...byGrid.values()].flatMap(alike => {
    const isCommon = alike.length >= fewestOfName;
    const measureOf = isCommon ? durationOf : timeOfThread;
    const most = longTimes * (isCommon ? usual(alike, durationOf) : usualOfThread);
    return alike.filter(operation => isLong(trace, operation) && measureOf(operation) > most);
  });
}

/** Returns the value that nine in ten of the operations do not exceed. */
function usual(operations: readonly number[], measureOf: (operation: number) => number): number {
  return Float64Array.from(operations, measureOf).sort()[Math.floor(0.9 * (operations.length - 1))];
}

function sidesOf({grids, gridOf}: Grids, operation: number): number[] | null {
  if (!grids) return null;
  const row = gridRowOf({grids, gridOf} as ReportDetails, operation);
  const {gridX, gridY, gridZ, blockX, blockY, blockZ} = grids;
  return [gridX[row], gridY[row], gridZ[row], blockX[row], blockY[row], blockZ[row]];
}

function gridKey(grids: Grids, operation: number): string {
  return sidesOf(grids, operation)?.join(' ') ?? '';
}

/** Returns the threads of a kernel; 1 if its grid is unknown. */
function threadsOf(grids: Grids, operation: number): number {
  return sidesOf(grids, operation)?.reduce((product, side) => product * Math.max(1, side), 1) ?? 1;
}

/**
 * Finds operations that end after the recording, if the profile records its end: nsys does, and PyTorch has a span for
 * it.
 */
function findPastEnd(trace: Trace, found: Map<number, Doubt>): void {
  const {slices, gpuOperations, recordingEndNs} = trace;
  const nsysEndNs = recordingEndNs === null ? -Infinity : recordingEndNs + recordingTickNs;
  const endNs = Math.max(nsysEndNs, profilerSpanEnd(trace) + clockNs);
  if (endNs === -Infinity) return;
  gpuOperations.slice.forEach((slice, operation) => {
    if (slices.startNs[slice] + slices.durationNs[slice] > endNs) found.set(operation, 'past-end');
  });
}

/**
 * Returns when PyTorch's span of the recording ends, -Infinity if there is none. It lies on a track that is neither a
 * thread nor a GPU.
 */
function profilerSpanEnd({slices, tracks}: Trace): number {
  let endNs = -Infinity;
  for (const {kind, firstSlice, endSlice} of tracks) {
    if (kind !== 'other') continue;
    for (let slice = firstSlice; slice < endSlice; slice++) {
      if (slices.kind[slice] !== kindIndex.profiler_span) continue;
      endNs = Math.max(endNs, slices.startNs[slice] + slices.durationNs[slice]);
    }
  }
  return endNs;
}

/** Finds operations that start before their launch by more than the resolution of older clocks. */
function findBeforeLaunch(trace: Trace, found: Map<number, Doubt>): void {
  const {slices, gpuOperations, apiCalls} = trace;
  const {callOf} = launchLinks(trace);
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (callOf[operation] < 0) continue;
    const calledNs = slices.startNs[apiCalls.slice[callOf[operation]]];
    if (slices.startNs[gpuOperations.slice[operation]] < calledNs - clockNs) found.set(operation, 'before-launch');
  }
}
