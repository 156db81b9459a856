import {say} from '../base/say.js';
import type {Attribution} from '../attribution/attribute.js';
import {isBackwardSite} from '../attribution/credit.js';
import {everything, type Chosen} from '../attribution/chosen.js';
import {TraceError} from '../base/errors.js';
import {getOrAdd} from '../table/get-or-add.js';
import {upperBound} from '../table/search.js';
import {operationsNear} from '../trace/start-order.js';
import type {Trace} from '../trace/trace.js';
import {matchFolded, matchRanges, parseRangeFilter} from './range-filter.js';
import {stepFinderOf} from './innermost-steps.js';
import {processesOfPid} from './processes.js';
import {stepsNumbered, stepsOf} from './steps.js';

/** The passes of a training step by which GPU work is divided. */
export const rangePasses = ['forward', 'backward'] as const;
type RangePass = (typeof rangePasses)[number];

/**
 * The part of a trace that a question covers. Every member narrows it; an empty selection is the whole trace.
 *
 * @see docs/metrics.md#selection
 */
export interface Selection {
  /** From here to `toNs` (exclusive), ns from the trace's first event. */
  readonly fromNs?: number;
  readonly toNs?: number;
  /** Ranges, in Nsight's syntax: `range[@domain][/index]`. */
  readonly range?: string;
  /**
   * With a range: work launched in it, or work that autograd launched for it. Without: work that is, or is not,
   * backward.
   */
  readonly pass?: RangePass;
  /** The step with this number, in every process that has one: `ProfilerStep#N`, or an NVTX range of a step. */
  readonly step?: number;
  /** The process with this system id: for example, one rank of a job that one file contains. */
  readonly process?: string;
  readonly device?: number;
  /** The launching thread, as an index into `Trace.tracks`. */
  readonly track?: number;
  /** CUDA's number of a stream, on any device. */
  readonly stream?: number;
}

/**
 * Returns which GPU operations a selection contains, by row: 1 or 0; null if it contains all.
 *
 * - window: operations that run inside it, wholly or in part
 * - range: operations that count in its GPU work, forward or backward, or only of one pass
 * - pass: launched operations that are backward work, or are not
 * - step: operations that its process launched while it was open, and no later step, on any thread; an operation without
 *   a launching call if it started then
 * - process: operations that it launched
 * - track: operations launched on that thread
 * - device, stream: operations that ran there
 *
 * @param attribution an attribution whose kinds include the range's
 * @throws TraceError `selection/no-match` if no range, step or process matches
 */
export function selectOperations(trace: Trace, attribution: Attribution, selection: Selection): Uint8Array | null {
  const {slices, gpuOperations} = trace;
  if (isEmpty(selection)) return null;
  const {fromNs = -Infinity, toNs = Infinity, device, stream} = selection;
  const {first, end} = operationsNear(trace, fromNs, toNs);
  const selected = new Uint8Array(gpuOperations.length).fill(1, first, end);
  const keep = (isKept: (operation: number) => boolean) => {
    for (let operation = first; operation < end; operation++) {
      if (selected[operation] === 1 && !isKept(operation)) selected[operation] = 0;
    }
  };
  const startOf = (operation: number) => slices.startNs[gpuOperations.slice[operation]];
  if (device !== undefined) keep(operation => gpuOperations.device[operation] === device);
  if (stream !== undefined) keep(operation => gpuOperations.stream[operation] === stream);
  if (selection.fromNs !== undefined || selection.toNs !== undefined) {
    keep(operation => overlaps(startOf(operation), slices.durationNs[gpuOperations.slice[operation]], fromNs, toNs));
  }
  const isOfPart = partTest(trace, attribution, selection);
  if (isOfPart) keep(operation => isOfPart(attribution.sites.siteOf[operation]));
  if (selection.track !== undefined) {
    const {siteOf, slice} = attribution.sites;
    keep(operation => siteOf[operation] >= 0 && slices.track[slice[siteOf[operation]]] === selection.track);
  }
  for (const isLaunchedThere of launchTests(trace, attribution, selection)) keep(isLaunchedThere);
  return selected;
}

/** Returns a test of whether a process's time is in its step with a number. @throws TraceError `selection/no-match` */
function stepTest(
  trace: Trace,
  number: number,
  processes: ReadonlySet<number> | null,
): (process: number, atNs: number) => boolean {
  const wanted = new Set(stepsNumbered(trace, number, processes));
  const isWanted = stepsOf(trace).map(step => wanted.has(step));
  const stepAt = stepFinderOf(trace);
  return (process, atNs) => {
    const at = stepAt(process, atNs);
    return at >= 0 && isWanted[at];
  };
}

/** Returns a test of whether launches at a site belong to the selected range and pass; null if all do. */
function partTest(
  trace: Trace,
  attribution: Attribution,
  {range, pass}: Selection,
): ((site: number) => boolean) | null {
  if (range !== undefined) {
    const part = partOfRange(trace, attribution, range);
    if (pass === undefined) return site => part[site] > 0;
    const wanted = pass === 'forward' ? rangePart.own : rangePart.backward;
    return site => part[site] === wanted;
  }
  if (pass === undefined) return null;
  return site => site >= 0 && isBackwardSite(attribution.credit, site) === (pass === 'backward');
}

/** Returns tests of whether an operation's process and step are selected; none for members that are absent. */
function launchTests(
  trace: Trace,
  {sites: {siteOf, slice}}: Attribution,
  {process: pid, step: number}: Selection,
): ((operation: number) => boolean)[] {
  const {slices, gpuOperations} = trace;
  const tests: ((operation: number) => boolean)[] = [];
  const ofProcess = pid === undefined ? null : processesOfPid(trace, pid);
  if (ofProcess) tests.push(operation => ofProcess.has(gpuOperations.process[operation]));
  if (number !== undefined) {
    const isInStep = stepTest(trace, number, ofProcess);
    tests.push(operation => {
      const site = siteOf[operation];
      const atNs = slices.startNs[site < 0 ? gpuOperations.slice[operation] : slice[site]];
      return isInStep(gpuOperations.process[operation], atNs);
    });
  }
  return tests;
}

/**
 * Returns a test of whether a thread's slice is in a selection, by its row; null if all are. Devices and streams limit
 * GPU work, but no thread.
 *
 * - window: slices that are in it, wholly or in part
 * - range: slices of the same thread that begin while it is open, including the range
 * - step: slices of its process that begin while it is open, and no later step
 * - process: its slices
 * - track: slices on that thread
 *
 * @throws TraceError `selection/no-match`
 */
export function selectSlices(
  trace: Trace,
  attribution: Attribution,
  selection: Selection,
): ((row: number) => boolean) | null {
  const {startNs, durationNs, track} = trace.slices;
  const tests = placeTests(trace, attribution, selection);
  return tests.length === 0 ? null : row => tests.every(isIn => isIn(track[row], startNs[row], durationNs[row]));
}

/**
 * Returns a test of whether an instant is in a selection, by its row; null if all are. Members work as in
 * `selectSlices`. An instant without a thread is in a range if any thread of its process has it open.
 *
 * @throws TraceError `selection/no-match`
 */
export function selectInstants(
  trace: Trace,
  attribution: Attribution,
  selection: Selection,
): ((row: number) => boolean) | null {
  const {tracks, instants} = trace;
  const tests = placeTests(trace, attribution, selection);
  if (tests.length === 0) return null;
  const isOnlyWindow = Object.entries(selection).every(
    ([member, value]) => value === undefined || ['fromNs', 'toNs', 'device', 'stream'].includes(member),
  );
  const isOnThread = (row: number) => instants.track[row] >= 0 && tracks[instants.track[row]].kind === 'thread';
  const threads = new Map<number, number[]>();
  tracks.forEach(({kind, process}, track) => {
    if (kind === 'thread') getOrAdd(threads, process, () => []).push(track);
  });
  const threadsOf = (row: number) => threads.get(tracks[instants.track[row]].process) ?? [];
  const isIn = (track: number, row: number) => tests.every(test => test(track, instants.atNs[row], 0));
  return row => {
    if (isOnThread(row) || isOnlyWindow) return isIn(instants.track[row], row);
    return instants.track[row] >= 0 && threadsOf(row).some(track => isIn(track, row));
  };
}

/** Returns the tests that events on a CPU track must pass to be in a selection. */
function placeTests(
  trace: Trace,
  attribution: Attribution,
  {fromNs = -Infinity, toNs = Infinity, range, step, process: pid, track: thread}: Selection,
): ((track: number, startNs: number, durationNs: number) => boolean)[] {
  const tests: ReturnType<typeof placeTests> = [];
  if (fromNs > -Infinity || toNs < Infinity)
    tests.push((_, startNs, durationNs) => overlaps(startNs, durationNs, fromNs, toNs));
  if (range !== undefined) tests.push(beginsInRanges(trace, attribution, rangesNamed(trace, attribution, range)));
  const ofProcess = pid === undefined ? null : processesOfPid(trace, pid);
  if (ofProcess) tests.push(track => ofProcess.has(trace.tracks[track].process));
  if (step !== undefined) {
    const isInStep = stepTest(trace, step, ofProcess);
    tests.push((track, startNs) => isInStep(trace.tracks[track].process, startNs));
  }
  if (thread !== undefined) tests.push(track => track === thread);
  return tests;
}

/** Returns the rows from which figures of a selection are computed. @throws TraceError `selection/no-match` */
export function choose(trace: Trace, attribution: Attribution, selection: Selection): Chosen {
  if (isEmpty(selection)) return everything;
  return {
    operations: selectOperations(trace, attribution, selection),
    near: operationsNear(trace, selection.fromNs ?? -Infinity, selection.toNs ?? Infinity),
    isSliceChosen: selectSlices(trace, attribution, selection),
    fromNs: selection.fromNs ?? -Infinity,
    toNs: selection.toNs ?? Infinity,
  };
}

function isEmpty(selection: Selection): boolean {
  return Object.values(selection).every(value => value === undefined);
}

/** Returns whether an event overlaps the window. An instant overlaps if it is in the window. */
export function overlaps(startNs: number, durationNs: number, fromNs: number, toNs: number): boolean {
  return startNs < toNs && (startNs + durationNs > fromNs || (durationNs === 0 && startNs >= fromNs));
}

/**
 * Returns ranges that match a filter, ascending. If none match, returns those with exactly this name, else those that
 * match it with numbers replaced (`layer_*`).
 *
 * @throws TraceError `selection/no-match`
 */
export function rangesNamed(trace: Trace, {ranges}: Attribution, text: string): Int32Array {
  let found = matchRanges(trace, ranges.slice, parseRangeFilter(text));
  if (found.length === 0) found = matchRanges(trace, ranges.slice, {name: text, domain: null, index: null});
  if (found.length === 0) found = matchFolded(trace, ranges.slice, text);
  if (found.length === 0) throw new TraceError('selection/no-match', say('No range of this profile is "{0}".', text));
  return found;
}

/** A range's relation to a launching site: none, its own work, or work that autograd launched for it. */
export const rangePart = {none: 0, own: 1, backward: 2} as const;

/**
 * Returns, for each site, `rangePart` for the ranges that a text names.
 *
 * @throws TraceError `selection/no-match`
 */
export function partOfRange(trace: Trace, attribution: Attribution, range: string): Uint8Array {
  return partOfRanges(attribution, rangesNamed(trace, attribution, range));
}

/** Returns the same for ranges given by their rows. */
export function partOfRanges({stacks, own, overlay, credit, ranges}: Attribution, wanted: Int32Array): Uint8Array {
  const isWanted = new Uint8Array(ranges.slice.length);
  for (const range of wanted) isWanted[range] = 1;
  const isIn = new Uint8Array(stacks.length);
  for (let node = 0; node < stacks.length; node++) {
    isIn[node] = isWanted[stacks.range[node]] | (stacks.parent[node] < 0 ? 0 : isIn[stacks.parent[node]]);
  }
  const counts = (stack: number) => stack >= 0 && isIn[stack] === 1;
  return Uint8Array.from(own, (node, site) => {
    if (counts(node) || counts(overlay[site])) return rangePart.own;
    return counts(credit.forward[site]) ? rangePart.backward : rangePart.none;
  });
}

/**
 * Returns a test of whether a slice begins in one of the ranges on its own thread (start/end ranges: in its process).
 */
function beginsInRanges(
  trace: Trace,
  {ranges}: Attribution,
  wanted: Int32Array,
): (track: number, startNs: number) => boolean {
  const {startNs, durationNs, track} = trace.slices;
  const {tracks} = trace;
  // Overlapping ranges are merged into intervals, so that searching for the last one that begins before is enough.
  const ofTrack = new Map<number, {from: number[]; to: number[]}>();
  const ofProcess: typeof ofTrack = new Map();
  for (const range of wanted) {
    const row = ranges.slice[range];
    const {kind, process} = tracks[track[row]];
    const intervals =
      kind === 'process-ranges'
        ? getOrAdd(ofProcess, process, () => ({from: [], to: []}))
        : getOrAdd(ofTrack, track[row], () => ({from: [], to: []}));
    const endNs = startNs[row] + durationNs[row];
    const last = intervals.to.length - 1;
    if (last >= 0 && startNs[row] < intervals.to[last]) intervals.to[last] = Math.max(intervals.to[last], endNs);
    else {
      intervals.from.push(startNs[row]);
      intervals.to.push(endNs);
    }
  }
  const isIn = (intervals: {from: number[]; to: number[]} | undefined, atNs: number) => {
    if (!intervals) return false;
    const after = upperBound(intervals.from, atNs);
    // A slice that begins where a range ends is outside; a range without a duration contains itself.
    return after > 0 && (atNs < intervals.to[after - 1] || atNs === intervals.from[after - 1]);
  };
  return (onTrack, atNs) => isIn(ofTrack.get(onTrack), atNs) || isIn(ofProcess.get(tracks[onTrack].process), atNs);
}
