import {launchSites} from '../../attribution/launch-sites.js';
import {getOrAdd} from '../../table/get-or-add.js';
import type {Trace} from '../../trace/trace.js';
import type {ReplayCall} from '../replay/cpu-calls.js';
import type {DependencyKind} from '../replay/replay-graph.js';
import type {EventDependencies} from '../replay/event-dependencies.js';
import type {RecordedEvent} from './recorded-events.js';
import type {RecordedMoment, RecordedMoments} from './recorded-moments.js';

/** What is known about the GPU's order from the replay, in addition to the file. */
export interface KnownOrder {
  readonly calls: readonly ReplayCall[];
  readonly events: EventDependencies;
}

/** What a GPU operation may have waited for. */
interface Causes {
  /** Start of the call that launched it. */
  readonly launch: RecordedMoment | undefined;
  /** End of the operation before it on its stream, and of the last operation on other streams that it waits for. */
  readonly before: RecordedMoment | undefined;
  readonly other: RecordedMoment | undefined;
  /** Whether its stream was empty both when it was launched and when it began. */
  readonly isAlone: boolean;
}

/**
 * Adds what GPU operations wait for, and what waiting calls wait for. An operation that found its stream empty waited
 * for its launch. One that waited longer for another stream than for its own waited for the other. Every other
 * operation waited for its stream.
 */
export function addGpuEdges(
  trace: Trace,
  moments: RecordedMoments,
  events: readonly RecordedEvent[],
  order: KnownOrder,
): void {
  const {startOf, endOf} = moments;
  const {launchOf, slice: siteSlice} = launchSites(trace);
  const eventOfSlice = new Map(events.map(event => [event.slice, event]));
  const ofOperation = new Map(events.map(event => [event.operation, event]));
  const isAlone = emptyQueues(trace);
  const last = new Map<number, RecordedMoment>();
  const operations = events.filter(({operation}) => operation >= 0);
  for (const event of operations.sort((a, b) => a.startNs - b.startNs || a.slice - b.slice)) {
    const others = [...(order.events.get(event.operation) ?? [])].flatMap(at => ofOperation.get(at) ?? []);
    addCauses(moments, event, {
      launch: momentOf(startOf, eventOfSlice.get(siteSlice[launchOf[event.operation]])),
      before: last.get(event.track),
      other: momentOf(endOf, latest(others)),
      isAlone: isAlone(event.operation),
    });
    const end = endOf.get(event);
    if (end) last.set(event.track, end);
  }
  for (const {slice, awaited} of order.calls) {
    const end = momentOf(endOf, eventOfSlice.get(slice));
    for (const operation of awaited) join(moments, 'sync', momentOf(endOf, ofOperation.get(operation)), end, 0);
  }
}

function addCauses(moments: RecordedMoments, event: RecordedEvent, {launch, before, other, isAlone}: Causes): void {
  const start = moments.startOf.get(event);
  join(moments, 'run', start, moments.endOf.get(event), event.endNs - event.startNs);
  join(moments, 'event', other, start, 0);
  const wasFree = (moment: RecordedMoment | undefined) => !moment || moment.ns < (launch?.ns ?? -Infinity);
  const isOfLaunch = isAlone && wasFree(before) && wasFree(other);
  // It can never begin before its launch.
  join(moments, 'launch', launch, start, isOfLaunch ? event.startNs - (launch?.ns ?? 0) : 0);
  if (isOfLaunch && launch) return;
  if (before && (!other || other.ns < before.ns)) join(moments, 'stream', before, start, event.startNs - before.ns);
}

/** Joins two moments if both exist. */
function join(
  moments: RecordedMoments,
  kind: DependencyKind,
  from: RecordedMoment | undefined,
  to: RecordedMoment | undefined,
  ns: number,
): void {
  if (from && to) moments.join(kind, from, to, ns);
}

function momentOf(
  of: ReadonlyMap<RecordedEvent, RecordedMoment>,
  event: RecordedEvent | undefined,
): RecordedMoment | undefined {
  return event && of.get(event);
}

function latest(events: readonly RecordedEvent[]): RecordedEvent | undefined {
  return events.reduce<RecordedEvent | undefined>(
    (best, event) => (best && best.endNs >= event.endNs ? best : event),
    undefined,
  );
}

/**
 * Returns a test of whether an operation's stream had no other launched operations waiting to begin, both when the
 * operation was launched and when it began.
 */
function emptyQueues(trace: Trace): (operation: number) => boolean {
  const {slices, gpuOperations} = trace;
  const {launchOf, slice: siteSlice} = launchSites(trace);
  const changes = new Map<number, {ns: number; operation: number; by: 1 | -1}[]>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    if (launchOf[operation] < 0) continue;
    const row = gpuOperations.slice[operation];
    const list = getOrAdd(changes, slices.track[row], () => []);
    list.push({ns: slices.startNs[siteSlice[launchOf[operation]]], operation, by: 1});
    list.push({ns: slices.startNs[row], operation, by: -1});
  }
  const isEmpty = new Uint8Array(gpuOperations.length).fill(1);
  for (const list of changes.values()) {
    let waiting = 0;
    for (const {operation, by} of list.sort((a, b) => a.ns - b.ns || b.by - a.by)) {
      waiting += by;
      if (waiting !== (by === 1 ? 1 : 0)) isEmpty[operation] = 0;
    }
  }
  return operation => isEmpty[operation] === 1;
}
