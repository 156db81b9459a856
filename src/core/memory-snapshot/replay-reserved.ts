import {eventsOf} from './events-of.js';
import {traceActions, type MemorySnapshot} from './memory-snapshot.js';

const grows = new Set([traceActions.indexOf('segment_alloc'), traceActions.indexOf('segment_map')]);
const shrinks = new Set([traceActions.indexOf('segment_free'), traceActions.indexOf('segment_unmap')]);

/**
 * Bytes that the allocator holds on a device at every moment, told backwards from the segments at the end; as the
 * recording tells it where that has no segments, and NaN where nothing is known.
 */
export function replayReserved(snapshot: MemorySnapshot, device: number): Float64Array {
  const {segments} = snapshot;
  const {length, action, bytes, reservedBytes: told} = eventsOf(snapshot, device);
  if (told) return reservedAsTold(told);
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

/** Before the first event there was what there is after it: nobody tells more. */
function reservedAsTold(told: Float64Array): Float64Array {
  const reservedBytes = new Float64Array(told.length + 1);
  reservedBytes.set(told, 1);
  reservedBytes[0] = told.length > 0 ? told[0] : Number.NaN;
  return reservedBytes;
}
