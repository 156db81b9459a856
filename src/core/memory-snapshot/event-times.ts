import type {DeviceEvents, MemorySnapshot} from './memory-snapshot.js';

/** When an event happened, µs since 1970; null where the snapshot does not tell it. */
export function eventTimeUs({timeUs}: DeviceEvents, event: number): number | null {
  const time = timeUs?.[event] ?? Number.NaN;
  return Number.isNaN(time) ? null : time;
}

/** The earliest and the latest time of events of all devices, µs since 1970; null where none tells its time. */
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
