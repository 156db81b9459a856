import {memoryDeviceName} from './device-name.js';
import {liveRows, type LiveRow, type MemoryGrouping} from './live-rows.js';
import type {MemorySnapshot, SnapshotNote} from './memory-snapshot.js';
import {replayDevice, type DeviceMemory} from './replay.js';
import {snapshotNotes} from './snapshot-notes.js';

/** Bytes after an event; `event` is null before the first one. */
export interface MemoryAt {
  readonly allocatedBytes: number;
  readonly reservedBytes: number;
  readonly event: number | null;
}

/** The parameters of a question about a snapshot. */
export interface MemoryQuestion {
  readonly device: number;
  /** The state right after this event, or at the peak. */
  readonly at: number | 'peak';
  readonly by: MemoryGrouping;
}

/** The figures of a device, and what is live at a moment. */
export interface MemoryReport {
  readonly device: number;
  /** The name of the device. */
  readonly name: string;
  readonly events: number;
  readonly peak: MemoryAt;
  readonly end: {readonly allocatedBytes: number; readonly reservedBytes: number};
  readonly at: MemoryAt;
  readonly rows: readonly LiveRow[];
  readonly notes: readonly SnapshotNote[];
}

/** Returns the answer to a question; null if the history has no such event. @see docs/metrics.md#memory-snapshots */
export function memoryReport(snapshot: MemorySnapshot, {device, at, by}: MemoryQuestion): MemoryReport | null {
  const memory = replayDevice(snapshot, device);
  const moment = at === 'peak' ? memory.peakMoment : at + 1;
  if (moment < 0 || moment > memory.eventCount) return null;
  const end = memoryAt(memory, memory.eventCount);
  return {
    device,
    name: memoryDeviceName(snapshot, device),
    events: memory.eventCount,
    peak: memoryAt(memory, memory.peakMoment),
    end: {allocatedBytes: end.allocatedBytes, reservedBytes: end.reservedBytes},
    at: memoryAt(memory, moment),
    rows: liveRows(snapshot, memory, moment, by),
    notes: snapshotNotes(snapshot, memory, moment),
  };
}

/** Returns the bytes of a device at a moment. */
export function memoryAt({allocatedBytes, reservedBytes}: DeviceMemory, moment: number): MemoryAt {
  return {
    allocatedBytes: allocatedBytes[moment],
    reservedBytes: reservedBytes[moment],
    event: moment === 0 ? null : moment - 1,
  };
}
