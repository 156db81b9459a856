import type {MemoryOfDevice} from '../figures/memory-events.js';
import {upperBound} from '../table/search.js';
import {instantKindIndex} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';
import {traceActions, type DeviceEvents} from './memory-snapshot.js';
import {pairedAddresses} from './paired-addresses.js';

const alloc = traceActions.indexOf('alloc');
const free = traceActions.indexOf('free');
const oom = traceActions.indexOf('oom');

/** Returns a trace's time in µs: since 1970 if the file records it, else in the file's own time. */
export function timeUsOf({originNs, meta}: Pick<Trace, 'originNs' | 'meta'>, atNs: number): number {
  const epochNs = meta.launch?.epochNs ?? null;
  const beginNs = epochNs === null ? originNs : originNs + BigInt(epochNs);
  return Number(beginNs) / 1000 + atNs / 1000;
}

/** Returns the events of a device's memory in a profile, including those at which it ran out of memory. */
export function profileEvents(
  trace: Trace,
  memory: MemoryOfDevice,
  addresses: Float64Array | null,
  stackOf: (event: number) => number,
): {events: DeviceEvents; isGuessed: boolean} {
  const {instants} = trace;
  const eventOf = new Map(Array.from(memory.instant, (row, event) => [row, event]));
  const rows = Int32Array.from([...memory.instant, ...failures(trace, memory)]).sort();
  const isFailure = (row: number) => instants.kind[row] === instantKindIndex.out_of_memory;
  const changes = Float64Array.from(rows, row => (isFailure(row) ? 0 : instants.bytes[row]));
  const told = addresses && Float64Array.from(rows, row => addresses[row]);
  const {addresses: address, isGuessed} = pairedAddresses(changes, told);
  const actionOf = (row: number, change: number) => (isFailure(row) ? oom : change > 0 ? alloc : change < 0 ? free : 0);
  const events = {
    length: rows.length,
    action: Uint8Array.from(rows, (row, event) => actionOf(row, changes[event])),
    address,
    bytes: Float64Array.from(rows, row => Math.abs(instants.bytes[row]) || 0),
    stack: Int32Array.from(rows, row => {
      const event = eventOf.get(row);
      return event === undefined ? -1 : stackOf(event);
    }),
    timeUs: Float64Array.from(rows, row => timeUsOf(trace, instants.atNs[row])),
    stream: null,
    category: null,
    metadata: null,
    reservedBytes: reservedBytes(
      trace,
      memory,
      Float64Array.from(rows, row => instants.atNs[row]),
    ),
  };
  return {events, isGuessed};
}

/** Returns the instants at which an allocation on the device failed. */
function failures({instants, tracks}: Trace, {process, device}: MemoryOfDevice): number[] {
  const found: number[] = [];
  for (let row = 0; row < instants.length; row++) {
    if (instants.kind[row] !== instantKindIndex.out_of_memory || instants.device[row] !== device) continue;
    const track = instants.track[row];
    if ((track < 0 ? -1 : tracks[track].process) === process) found.push(row);
  }
  return found;
}

/** Returns the bytes that the allocator reserved right after each event, according to its counter; NaN if unknown. */
function reservedBytes(
  {counters, counterSamples}: Trace,
  {process, device}: MemoryOfDevice,
  atNs: Float64Array,
): Float64Array {
  const counter = counters.find(
    one => one.name === 'Memory reserved' && one.process === process && one.device === device,
  );
  if (!counter) return new Float64Array(atNs.length).fill(Number.NaN);
  const {firstSample, endSample} = counter;
  return atNs.map(time => {
    const sample = upperBound(counterSamples.atNs, time, firstSample, endSample) - 1;
    return sample < firstSample ? Number.NaN : counterSamples.value[sample];
  });
}
