import {getOrAdd} from '../table/get-or-add.js';
import type {MemoryOfDevice} from './memory-events.js';

/** The memory of a device that a range holds. */
export interface HeldMemory {
  readonly range: string;
  blocks: number;
  bytes: number;
}

const before = '(before the recording)';

/**
 * Returns the memory that each range holds after the first `events` events: allocated in it and not freed since. Other
 * memory in use was allocated before the recording, or has no address.
 *
 * @param addresses by row of `instants`
 * @param rangeOf names the range of an event (position in the device's lists)
 */
export function heldAt(
  {instant, bytes, level, baseBytes}: MemoryOfDevice,
  addresses: Float64Array,
  events: number,
  rangeOf: (event: number) => string,
): HeldMemory[] {
  const blockAt = new Map<number, number>();
  for (let event = 0; event < events; event++) {
    const address = addresses[instant[event]];
    if (bytes[event] < 0) blockAt.delete(address);
    else if (!Number.isNaN(address)) blockAt.set(address, event);
  }
  const held = new Map<string, HeldMemory>();
  let restBytes = events === 0 ? baseBytes : level[events - 1];
  for (const event of blockAt.values()) {
    const range = rangeOf(event);
    const row = getOrAdd(held, range, () => ({range, blocks: 0, bytes: 0}));
    row.blocks++;
    row.bytes += bytes[event];
    restBytes -= bytes[event];
  }
  const rows = [...held.values()];
  return restBytes > 0 ? [...rows, {range: before, blocks: 0, bytes: restBytes}] : rows;
}
