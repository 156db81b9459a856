import {eventsOf} from './events-of.js';
import {traceActions, type MemorySnapshot} from './memory-snapshot.js';

const grows = new Set([traceActions.indexOf('segment_alloc'), traceActions.indexOf('segment_map')]);
const shrinks = new Set([traceActions.indexOf('segment_free'), traceActions.indexOf('segment_unmap')]);

/**
 * Returns the bytes reserved by the allocator on a device at every moment, computed backwards from the segments at the
 * end; as recorded if there are no segments, and NaN if nothing is known.
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

/** Returns the recorded bytes. Before the first event, they are assumed to be the same as after it. */
function reservedAsTold(told: Float64Array): Float64Array {
  const reservedBytes = new Float64Array(told.length + 1);
  reservedBytes.set(told, 1);
  reservedBytes[0] = told.length > 0 ? told[0] : Number.NaN;
  return reservedBytes;
}
