import {eventsOf} from './events-of.js';
import {traceActions, type MemorySnapshot} from './memory-snapshot.js';

const grows = new Set([traceActions.indexOf('segment_alloc'), traceActions.indexOf('segment_map')]);
const shrinks = new Set([traceActions.indexOf('segment_free'), traceActions.indexOf('segment_unmap')]);

/** Bytes that the allocator holds on a device at every moment, told backwards from the segments at the end. */
export function replayReserved(snapshot: MemorySnapshot, device: number): Float64Array {
  const {segments} = snapshot;
  const {length, action, bytes} = eventsOf(snapshot, device);
  let reserved = 0;
  for (let i = 0; i < segments.length; i++) if (segments.device[i] === device) reserved += segments.bytes[i];
  const reservedBytes = new Float64Array(length + 1);
  reservedBytes[length] = reserved;
  for (let event = length - 1; event >= 0; event--) {
    if (grows.has(action[event])) reserved -= bytes[event];
    else if (shrinks.has(action[event])) reserved += bytes[event];
    reservedBytes[event] = reserved;
  }
  return reservedBytes;
}
