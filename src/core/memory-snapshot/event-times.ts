import type {DeviceEvents, MemorySnapshot} from './memory-snapshot.js';

/** Returns when an event happened, µs since 1970; null if the snapshot does not record it. */
export function eventTimeUs({timeUs}: DeviceEvents, event: number): number | null {
  const time = timeUs?.[event] ?? Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** Returns the earliest and the latest time of all devices' events, µs since 1970; null if no event has a time. */
export function eventSpanUs({events}: MemorySnapshot): {firstUs: number; lastUs: number} | null {
  let firstUs = Infinity;
  let lastUs = -Infinity;
  for (const {timeUs} of events) {
    for (const time of timeUs ?? []) {
      if (time < firstUs) firstUs = time;
      if (time > lastUs) lastUs = time;
    }
  }
  return firstUs <= lastUs ? {firstUs, lastUs} : null;
}
