import {replayAllocations, type Allocations} from './replay-allocations.js';
import {replayReserved} from './replay-reserved.js';
import type {MemorySnapshot, SnapshotNote} from './memory-snapshot.js';

/** The memory of a device at every moment of a snapshot's history. */
export interface DeviceMemory {
  readonly device: number;
  readonly eventCount: number;
  /** By moment, which counts the events so far: moment 0 is before the first event, `eventCount` the end. */
  readonly allocatedBytes: Float64Array;
  /** The same for the reserved memory. */
  readonly reservedBytes: Float64Array;
  readonly allocations: Allocations;
  /** The first moment with the most allocated bytes. */
  readonly peakMoment: number;
  readonly notes: readonly SnapshotNote[];
}

/**
 * Replays the history of a device's memory backwards from the segments and blocks at the snapshot's end: a history
 * begins in the middle, and only its end is completely known.
 *
 * @see docs/metrics.md#memory-snapshots
 */
export function replayDevice(snapshot: MemorySnapshot, device: number): DeviceMemory {
  const {allocations, allocatedBytes, notes} = replayAllocations(snapshot, device);
  return {
    device,
    eventCount: allocatedBytes.length - 1,
    allocatedBytes,
    reservedBytes: replayReserved(snapshot, device),
    allocations,
    peakMoment: firstOfGreatest(allocatedBytes),
    notes,
  };
}

/** Returns the devices with memory or a history. */
export function snapshotDevices({segments, blocks, events}: MemorySnapshot): number[] {
  const devices = new Set(segments.device);
  for (const device of blocks.device) devices.add(device);
  for (let device = 0; device < events.length; device++) if (events[device].length > 0) devices.add(device);
  return [...devices].sort((a, b) => a - b);
}

function firstOfGreatest(values: Float64Array): number {
  let best = 0;
  for (let i = 1; i < values.length; i++) if (values[i] > values[best]) best = i;
  return best;
}
