import {terminalJson} from '../format/cells.js';
import {launchLinks} from '../attribution/link-launches.js';
import {instantKinds} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import {categoryOf} from './event-categories.js';
import {placeThreads, type ThreadPlaces} from './thread-places.js';

/** Rows per text, so that no text grows with the trace. */
const rowsPerPiece = 4096;

/**
 * Writes the trace as Chrome trace events, piece by piece, which Perfetto, chrome://tracing and this program open:
 * slices with the ids that link them, launches as flows, instants and counters.
 *
 * The format cannot express slices of a track that overlap without nesting, so these are on an additional thread. Times
 * are microseconds from the trace's first event with three decimals, so that no nanosecond is lost.
 *
 * @see docs/formats.md#exports
 */
export function* perfettoJson(trace: Trace): Generator<string> {
  const places = placeThreads(trace);
  const devices = JSON.stringify(trace.devices.flatMap(({id, name}) => (name === null ? [] : [{id, name}])));
  yield `{"schemaVersion":1,"displayTimeUnit":"ns","deviceProperties":${terminalJson(devices)},"otherData":{"exporter":"GPU Lens"},"traceEvents":[\n`;
  yield [...nameEvents(places)].map(event => terminalJson(JSON.stringify(event))).join(',\n');
  const idsOf = idsBySlice(trace);
  yield* pieces(trace.slices.length, row => sliceEvent(trace, places, row, idsOf(row)));
  const {callOf} = launchLinks(trace);
  yield* pieces(callOf.length, operation =>
    callOf[operation] < 0
      ? ''
      : flow(trace, places, 'ac2g', operation, [
          trace.apiCalls.slice[callOf[operation]],
          trace.gpuOperations.slice[operation],
        ]),
  );
  const {forwardBackward} = trace;
  yield* pieces(forwardBackward.length / 2, pair =>
    flow(trace, places, 'fwdbwd', pair, [forwardBackward[2 * pair], forwardBackward[2 * pair + 1]]),
  );
  yield* pieces(trace.instants.length, row => instantEvent(trace, places, row));
  for (const counter of trace.counters) {
    const pid = places.pidOfProcess(counter.process);
    yield* pieces(counter.endSample - counter.firstSample, at => {
      const row = counter.firstSample + at;
      const ts = microseconds(trace.counterSamples.atNs[row]);
      return event(
        'C',
        counter.name,
        ts,
        `"pid":${String(pid)},"args":{"value":${String(trace.counterSamples.value[row])}}`,
      );
    });
  }
  yield '\n]}\n';
}

/** Joins texts of rows, each after a comma, many at a time. Rows without text are omitted. */
function* pieces(length: number, textOf: (row: number) => string): Generator<string> {
  for (let first = 0; first < length; first += rowsPerPiece) {
    let piece = '';
    for (let row = first; row < Math.min(length, first + rowsPerPiece); row++) {
      const text = textOf(row);
      if (text !== '') piece += `,\n${text}`;
    }
    if (piece !== '') yield piece;
  }
}

function* nameEvents({processes, threads}: ThreadPlaces): Generator<object> {
  for (const {pid, name} of processes) yield {ph: 'M', name: 'process_name', pid, args: {name}};
  for (const {pid, tid, name} of threads) yield {ph: 'M', name: 'thread_name', pid, tid, args: {name}};
}

function sliceEvent(
  {slices, strings}: Trace,
  {tid, pidOfTrack}: ThreadPlaces,
  row: number,
  args: object | null,
): string {
  const place = `"pid":${String(pidOfTrack[slices.track[row]])},"tid":${String(tid[row])}`;
  const length = `"cat":"${categoryOf(slices.kind[row])}","dur":${microseconds(slices.durationNs[row])}`;
  const ids = args === null ? '' : `,"args":${JSON.stringify(args)}`;
  return event('X', strings.get(slices.name[row]), microseconds(slices.startNs[row]), `${length},${place}${ids}`);
}

/** Returns a function that gives the ids linking a slice, under Kineto's names. Ask in ascending order of rows. */
function idsBySlice(trace: Trace): (row: number) => object | null {
  const {slices, gpuOperations, apiCalls, operators} = trace;
  const unique = uniqueIds(trace);
  const operationOf = new Int32Array(slices.length).fill(-1);
  for (let at = 0; at < gpuOperations.length; at++) operationOf[gpuOperations.slice[at]] = at;
  let call = 0;
  let operator = 0;
  return row => {
    const {[row]: operation} = operationOf;
    if (operation >= 0) {
      const {device, stream, correlation, externalId, bytes} = gpuOperations;
      return present({
        device: device[operation],
        stream: stream[operation],
        correlation: unique(gpuOperations.process[operation], correlation[operation]),
        'External id': externalId[operation],
        bytes: Math.max(-1, bytes[operation]),
      });
    }
    while (call < apiCalls.length && apiCalls.slice[call] < row) call++;
    if (apiCalls.slice[call] === row) {
      return present({correlation: unique(apiCalls.process[call], apiCalls.correlation[call])});
    }
    while (operator < operators.length && operators.slice[operator] < row) operator++;
    if (operators.slice[operator] !== row) return null;
    return present({
      'External id': operators.externalId[operator],
      'Sequence number': operators.sequence[operator],
      'Fwd thread id': operators.forwardThread[operator],
    });
  };
}

/**
 * Makes correlation ids unique: they count within a process, while GPUs of the exported file belong to all processes.
 * Ids below -1, which stand for ids that exceed a double, are kept.
 */
function uniqueIds({apiCalls}: Trace): (process: number, correlation: number) => number {
  const isOfOne = apiCalls.process.every(process => process === apiCalls.process[0]);
  return (process, correlation) => {
    if (correlation === -1 || isOfOne) return correlation;
    return correlation + Math.sign(correlation) * Math.max(0, process) * 2 ** 33;
  };
}

/** Returns the ids that the file has. */
function present(ids: Readonly<Record<string, number>>): object {
  return Object.fromEntries(Object.entries(ids).filter(([, value]) => value !== -1));
}

/** Writes the two ends of a flow, in Kineto's category: a launch, or an operator and what runs its autograd node. */
function flow(
  {slices}: Trace,
  {pidOfTrack, tid}: ThreadPlaces,
  category: 'ac2g' | 'fwdbwd',
  index: number,
  [from, to]: readonly [number, number],
): string {
  const end = (ph: string, row: number, extra: string) => {
    const place = `"pid":${String(pidOfTrack[slices.track[row]])},"tid":${String(tid[row])}`;
    const id = `"cat":"${category}","id":${String(index + 1)}`;
    return event(ph, category, microseconds(slices.startNs[row]), `${id},${place}${extra}`);
  };
  return `${end('s', from, '')},\n${end('f', to, ',"bp":"e"')}`;
}

function instantEvent({instants, strings}: Trace, {pidOfTrack, pidOfProcess}: ThreadPlaces, row: number): string {
  const {[row]: track} = instants.track;
  const pid = track < 0 ? pidOfProcess(-1) : pidOfTrack[track];
  const {[row]: bytes} = instants.bytes;
  const args = Number.isNaN(bytes) ? '' : `,"args":{"bytes":${String(bytes)}}`;
  // On the process: a track with only instants has no thread here.
  const place = `"cat":"${instantKinds[instants.kind[row]]}","s":"p","pid":${String(pid)}`;
  return event('i', strings.get(instants.name[row]), microseconds(instants.atNs[row]), `${place}${args}`);
}

function event(ph: string, name: string, ts: string, rest: string): string {
  return `{"ph":"${ph}","name":${terminalJson(JSON.stringify(name))},"ts":${ts},${rest}}`;
}

/** Writes integer nanoseconds as microseconds in decimal, exactly. */
function microseconds(ns: number): string {
  const whole = Math.floor(ns / 1000);
  const rest = ns - whole * 1000;
  return rest === 0 ? String(whole) : `${String(whole)}.${String(rest).padStart(3, '0')}`;
}
