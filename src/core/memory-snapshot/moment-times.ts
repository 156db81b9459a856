import type {Trace} from '../trace/trace.js';
import {eventsOf} from './events-of.js';
import {eventTimeUs} from './event-times.js';
import {isHostMemory} from './device-name.js';
import type {MemorySnapshot} from './memory-snapshot.js';
import {timeUsOf} from './profile-events.js';
import {snapshotDevices} from './replay.js';

/** A moment of a device's history. */
export interface MemoryPlace {
  readonly device: number;
  readonly moment: number;
}

/** Returns a moment's time in a trace of the same run, ns from its beginning; null if it is outside the trace. */
export function traceTimeOf(trace: Trace, snapshot: MemorySnapshot, {device, moment}: MemoryPlace): number | null {
  const timeUs = eventTimeUs(eventsOf(snapshot, device), Math.max(0, moment - 1));
  if (timeUs === null) return null;
  const atNs = Math.round((timeUs - timeUsOf(trace, 0)) * 1000);
  return atNs >= 0 && atNs <= trace.spanNs ? atNs : null;
}

/**
 * Returns the moment of a history at a time in a trace of the same run; null if it is outside the history. A
 * profile's own memory is known from its beginning to its end.
 *
 * @param device a GPU's number, -1 for the host's memory
 */
export function momentAtTime(trace: Trace, snapshot: MemorySnapshot, atNs: number, device: number): MemoryPlace | null {
  const found = snapshotDevices(snapshot).find(one => (isHostMemory(snapshot, one) ? device < 0 : one === device));
  if (found === undefined) return null;
  const {length, timeUs} = eventsOf(snapshot, found);
  if (timeUs === null || length === 0) return null;
  const wantedUs = timeUsOf(trace, atNs);
  // Times are doubles of µs since 1970, which are precise to a quarter of a µs.
  const moment = timeUs.findLastIndex(time => time <= wantedUs + 0.5) + 1;
  const isInside = wantedUs >= timeUs[0] - 0.5 && wantedUs <= timeUs[length - 1] + 0.5;
  return isInside || snapshot.profile !== null ? {device: found, moment} : null;
}
