import type {Trace} from '../trace/trace.js';
import {kindIndex} from '../trace/slices.js';
import {isBlockingName} from '../attribution/blocking-calls.js';
import {callOfSlice} from '../figures/operation-of-slice.js';
import {attributionOf} from '../scope/attribution-of.js';
import {sliceDetails, type SliceArgument} from './slice-details.js';
import {linkBetween, type SliceLink} from './slice-links.js';

/**
 * What a file records of a wait: which stream waits or is waited for, and for which event. Null if it does not record
 * it.
 */
export interface Wait {
  /** If a stream waits, that stream. If the CPU waits, the stream that it waits for; null for all streams. */
  readonly stream: number | null;
  /** The stream on which the event was recorded. */
  readonly recordedOn: number | null;
  /** Correlation id of the call that recorded the event. */
  readonly recordedBy: number | null;
  /** Correlation id of the call that waits. */
  readonly correlation: number | null;
}

/** Parses the arguments of a synchronisation, in the words of Kineto or of nsys. */
export function waitOf(args: readonly SliceArgument[]): Wait {
  const valueOf = (...names: string[]) => {
    const value = Number(args.find(({name}) => names.includes(name))?.value ?? NaN);
    // CUPTI's "none": all 32 bits set, or -1.
    return Number.isSafeInteger(value) && value >= 0 && value !== 0xffffffff ? value : null;
  };
  return {
    stream: valueOf('stream', 'streamId'),
    recordedOn: valueOf('wait_on_stream'),
    recordedBy: valueOf('wait_on_cuda_event_record_corr_id'),
    correlation: valueOf('correlation', 'correlationId'),
  };
}

/** The largest number of candidates for the synchronisation of a call, which usually has one. */
const mostCandidates = 8;

/**
 * Returns the synchronisations that an API call may have waited for: those of its process during the call, at most 8,
 * sorted by how closely they begin and end with it. None if the call's name is not that of a wait.
 */
export function synchronisationsIn(trace: Trace, slice: number): number[] {
  const {slices, tracks, apiCalls, strings} = trace;
  const {startNs, durationNs, kind} = slices;
  const call = callOfSlice(trace, slice);
  if (call < 0 || !isWaitingName(strings.get(slices.name[slice]))) return [];
  const endOf = (row: number) => startNs[row] + durationNs[row];
  const found: number[] = [];
  for (const {firstSlice, endSlice, kind: trackKind, process} of tracks) {
    // Kineto records the device of a synchronisation, but no process.
    const isOwn = process < 0 || process === apiCalls.process[call];
    if (trackKind !== 'other' || !isOwn || kind[firstSlice] !== kindIndex.cuda_sync) continue;
    for (let row = firstSlice; row < endSlice && startNs[row] <= endOf(slice); row++) {
      if (kind[row] === kindIndex.cuda_sync && endOf(row) >= startNs[slice]) found.push(row);
    }
  }
  const awayNs = (row: number) => Math.abs(startNs[row] - startNs[slice]) + Math.abs(endOf(row) - endOf(slice));
  return found.sort((a, b) => awayNs(a) - awayNs(b)).slice(0, mostCandidates);
}

/** Returns whether a call waits, or makes a stream wait. */
function isWaitingName(name: string): boolean {
  return isBlockingName(name) || /^(?:cuda|cu|hip)StreamWaitEvent/.test(name);
}

/**
 * Returns what a synchronisation waits for, and if a stream waits for an event, what the wait delays:
 *
 * - the last operation launched on the recorded stream before the event was recorded, and the call that recorded it
 * - without an event, the last operation launched before the wait on its stream, or on any stream of its device
 * - outgoing, if a stream waits, the first operation launched on that stream after the wait
 *
 * Operations are those of the waiting process. None for a row that does not exist.
 *
 * @param slice the selected slice: the synchronisation, or the call that waits
 * @param synchronisation its row in the slices table
 * @see docs/metrics.md#slice-context
 */
export function waitLinks(trace: Trace, slice: number, synchronisation: number, wait: Wait): SliceLink[] {
  const {slices, apiCalls, tracks} = trace;
  const sync = sliceDetails(trace, synchronisation);
  if (sync?.kind !== 'cuda_sync') return [];
  const {device, process} = tracks[sync.track];
  const selected = callOfSlice(trace, slice);
  const call = selected < 0 ? callWith(trace, wait.correlation, process, sync.startNs) : selected;
  const atNs = call < 0 ? sync.startNs : slices.startNs[apiCalls.slice[call]];
  const own = call < 0 ? process : apiCalls.process[call];
  const launched = new Launched(trace, own, device);
  if (!/event/i.test(sync.name)) return linkBetween(trace, 'wait', launched.lastBefore(atNs, wait.stream), slice);
  const isStreamWaiting = /wait event/i.test(sync.name) && wait.stream !== null;
  const behind = isStreamWaiting ? launched.firstBehind(atNs, wait.stream) : -1;
  return [
    ...recordLinks(trace, slice, wait, {process: own, atNs}, launched),
    ...linkBetween(trace, 'wait', slice, behind),
  ];
}

/** Returns the flows into a wait for an event; none if the file does not name the record of the event. */
function recordLinks(
  trace: Trace,
  slice: number,
  wait: Wait,
  {process, atNs}: {readonly process: number; readonly atNs: number},
  launched: Launched,
): SliceLink[] {
  const recording = callWith(trace, wait.recordedBy, process, atNs);
  if (recording < 0) return [];
  const record = trace.apiCalls.slice[recording];
  const {recordedOn} = wait;
  const last = recordedOn === null ? -1 : launched.lastBefore(trace.slices.startNs[record], recordedOn);
  return [...linkBetween(trace, 'wait', last, slice), ...linkBetween(trace, 'wait', record, slice)];
}

/**
 * Returns the call of a process with a correlation id. If the process is unknown (-1), returns the call with this id
 * that begins nearest to a time; -1 for none.
 */
function callWith({apiCalls, slices}: Trace, correlation: number | null, process: number, atNs: number): number {
  let best = -1;
  if (correlation === null) return best;
  const awayNs = (call: number) => Math.abs(slices.startNs[apiCalls.slice[call]] - atNs);
  for (let call = 0; call < apiCalls.length; call++) {
    if (apiCalls.correlation[call] !== correlation) continue;
    if (process >= 0 && apiCalls.process[call] !== process) continue;
    if (best < 0 || awayNs(call) < awayNs(best)) best = call;
  }
  return best;
}

/** The operations of a process on a device in the order of their calls. Methods return slices, -1 for none. */
class Launched {
  constructor(
    private readonly trace: Trace,
    private readonly process: number,
    private readonly device: number,
  ) {}

  /** Returns the last operation launched before a time, on one stream or on any. */
  lastBefore(ns: number, stream: number | null): number {
    return this.#best(stream, (launchNs, bestNs) => launchNs < ns && launchNs >= bestNs, -Infinity);
  }

  /** Returns the first operation launched on a stream after a time. */
  firstBehind(ns: number, stream: number): number {
    return this.#best(stream, (launchNs, bestNs) => launchNs > ns && launchNs < bestNs, Infinity);
  }

  #best(stream: number | null, isBetter: (launchNs: number, bestNs: number) => boolean, worstNs: number): number {
    const {gpuOperations, slices} = this.trace;
    const {siteOf, slice: sliceOfSite} = attributionOf(this.trace).sites;
    let best = -1;
    let bestNs = worstNs;
    // Reads each operation once, which is fast enough for a click.
    for (let operation = 0; operation < gpuOperations.length; operation++) {
      const site = siteOf[operation];
      const isOnStream = stream === null || gpuOperations.stream[operation] === stream;
      const isOwn =
        gpuOperations.process[operation] === this.process && gpuOperations.device[operation] === this.device;
      if (site < 0 || !isOnStream || !isOwn) continue;
      const launchNs = slices.startNs[sliceOfSite[site]];
      if (!isBetter(launchNs, bestNs)) continue;
      best = gpuOperations.slice[operation];
      bestNs = launchNs;
    }
    return best;
  }
}
