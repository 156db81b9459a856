import type {Trace} from '../trace/trace.js';
import {kindIndex} from '../trace/slices.js';
import {isBlockingName} from '../attribution/blocking-calls.js';
import {callOfSlice} from '../figures/operation-of-slice.js';
import {attributionOf} from '../scope/attribution-of.js';
import {sliceDetails, type SliceArgument} from './slice-details.js';
import {linkBetween, type SliceLink} from './slice-links.js';

/** What a file says of a wait: which stream waits or is waited for, and for which event. Null where it does not. */
export interface Wait {
  /** Of a wait of a stream the one that waits, of a wait of the CPU the one that is waited for; null for all. */
  readonly stream: number | null;
  /** The stream on which the event was recorded that is waited for. */
  readonly recordedOn: number | null;
  /** Correlation id of the call that recorded it. */
  readonly recordedBy: number | null;
  /** Correlation id of the call that waits. */
  readonly correlation: number | null;
}

/** What the arguments of a synchronisation say, in the words of Kineto or of nsys. */
export function waitOf(args: readonly SliceArgument[]): Wait {
  const valueOf = (...names: string[]) => {
    const value = Number(args.find(({name}) => names.includes(name))?.value ?? NaN);
    // CUPTI's "none": all bits of 32 set, or -1.
    return Number.isSafeInteger(value) && value >= 0 && value !== 0xffffffff ? value : null;
  };
  return {
    stream: valueOf('stream', 'streamId'),
    recordedOn: valueOf('wait_on_stream'),
    recordedBy: valueOf('wait_on_cuda_event_record_corr_id'),
    correlation: valueOf('correlation', 'correlationId'),
  };
}

/** Candidates that are looked at for the synchronisation of a call: it has one, as a rule. */
const mostCandidates = 8;

/**
 * The synchronisations that may be what an API call waited for: those of its process in its time, at most 8, those first
 * that begin and end most nearly when it does. None of a call that does not wait, by its name.
 */
export function synchronisationsIn(trace: Trace, slice: number): number[] {
  const {slices, tracks, apiCalls, strings} = trace;
  const {startNs, durationNs, kind} = slices;
  const call = callOfSlice(trace, slice);
  if (call < 0 || !isWaitingName(strings.get(slices.name[slice]))) return [];
  const endOf = (row: number) => startNs[row] + durationNs[row];
  const found: number[] = [];
  for (const {firstSlice, endSlice, kind: trackKind, process} of tracks) {
    // Kineto names the device of a synchronisation and no process.
    const isOwn = process < 0 || process === apiCalls.process[call];
    if (trackKind !== 'other' || !isOwn || kind[firstSlice] !== kindIndex.cuda_sync) continue;
    for (let row = firstSlice; row < endSlice && startNs[row] <= endOf(slice); row++) {
      if (kind[row] === kindIndex.cuda_sync && endOf(row) >= startNs[slice]) found.push(row);
    }
  }
  const awayNs = (row: number) => Math.abs(startNs[row] - startNs[slice]) + Math.abs(endOf(row) - endOf(slice));
  return found.sort((a, b) => awayNs(a) - awayNs(b)).slice(0, mostCandidates);
}

/** Whether a call waits, or lets a stream wait. */
function isWaitingName(name: string): boolean {
  return isBlockingName(name) || /^(?:cuda|cu|hip)StreamWaitEvent/.test(name);
}

/**
 * What a synchronisation waits for, and of a stream that waits for an event what waits there:
 *
 * - the last operation that was launched on the recorded stream before the event's record, and the call of that record
 * - without an event the last operation that was launched before the wait on its stream, or on any of its device
 * - out of it, where a stream waits, the first operation that is launched on that stream behind it
 *
 * Operations are of the process that waits. None for a row that does not exist.
 *
 * @param slice what is selected: the synchronisation, or the call that waits
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

/** The flows into a wait for an event; none where the file does not name the record of the event. */
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
 * The call of a process with a correlation id; where the process is not known (-1), of those with the id the one that
 * begins nearest to a time; -1 for none.
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

/** The operations of a process on a device in the order in which their calls were made; slices, -1 for none. */
class Launched {
  constructor(
    private readonly trace: Trace,
    private readonly process: number,
    private readonly device: number,
  ) {}

  /** The last one that was launched before a time, on a stream or on any. */
  lastBefore(ns: number, stream: number | null): number {
    return this.#best(stream, (launchNs, bestNs) => launchNs < ns && launchNs >= bestNs, -Infinity);
  }

  /** The first one that was launched behind a time on a stream. */
  firstBehind(ns: number, stream: number): number {
    return this.#best(stream, (launchNs, bestNs) => launchNs > ns && launchNs < bestNs, Infinity);
  }

  #best(stream: number | null, isBetter: (launchNs: number, bestNs: number) => boolean, worstNs: number): number {
    const {gpuOperations, slices} = this.trace;
    const {siteOf, slice: sliceOfSite} = attributionOf(this.trace).sites;
    let best = -1;
    let bestNs = worstNs;
    // One look at each: a click asks once.
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
