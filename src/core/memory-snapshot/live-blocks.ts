import {eventsOf} from './events-of.js';
import {eventTimeUs} from './event-times.js';
import {placeOf, stackPlaces, type CodePlace} from './live-rows.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {ownFrames} from './own-frames.js';
import type {DeviceMemory} from './replay.js';

/** A block that is live at a moment. */
export interface LiveBlock extends CodePlace {
  readonly address: number;
  readonly bytes: number;
  /** The event that allocated it; null if it was allocated before the history. */
  readonly allocatedEvent: number | null;
  /** The event that frees it later; null if it is live at the end. */
  readonly freedEvent: number | null;
  /** Its age at the moment, µs; null if the snapshot has no times. */
  readonly ageUs: number | null;
  /** From the innermost frame outwards. */
  readonly stack: readonly CodePlace[];
}

/** Returns the largest blocks live at a moment, the largest first, and their total number. */
export function liveBlocks(
  snapshot: MemorySnapshot,
  memory: DeviceMemory,
  moment: number,
  most: number,
): {blocks: LiveBlock[]; count: number} {
  const {length, bytes, fromMoment, untilMoment} = memory.allocations;
  const live: number[] = [];
  for (let i = 0; i < length; i++) if (fromMoment[i] <= moment && moment < untilMoment[i]) live.push(i);
  live.sort((a, b) => bytes[b] - bytes[a] || a - b);
  const own = ownFrames(snapshot.frames, snapshot.stacks);
  return {count: live.length, blocks: live.slice(0, most).map(i => blockOf(snapshot, memory, own, moment, i))};
}

function blockOf(
  snapshot: MemorySnapshot,
  {allocations, device, eventCount}: DeviceMemory,
  own: Int32Array,
  moment: number,
  i: number,
): LiveBlock {
  const events = eventsOf(snapshot, device);
  const {[i]: from} = allocations.fromMoment;
  const {[i]: until} = allocations.untilMoment;
  const {[i]: stack} = allocations.stack;
  const allocatedUs = from === 0 ? null : eventTimeUs(events, from - 1);
  const nowUs = moment === 0 ? null : eventTimeUs(events, moment - 1);
  return {
    ...placeOf(snapshot, stack < 0 ? -1 : own[stack]),
    address: allocations.address[i],
    bytes: allocations.bytes[i],
    allocatedEvent: from === 0 ? null : from - 1,
    freedEvent: until > eventCount ? null : until - 1,
    ageUs: allocatedUs === null || nowUs === null ? null : nowUs - allocatedUs,
    stack: stackPlaces(snapshot, stack),
  };
}
