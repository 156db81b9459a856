import {replayAllocations, type Allocations} from './replay-allocations.js';
import {replayReserved} from './replay-reserved.js';
import type {MemorySnapshot, SnapshotNote} from './memory-snapshot.js';

/** What a device's memory was at every moment of a snapshot's history. */
export interface DeviceMemory {
  readonly device: number;
  readonly eventCount: number;
  /** By moment: how many events have happened. Moment 0 is before the first event, `eventCount` the end. */
  readonly allocatedBytes: Float64Array;
  /** The same of the memory that the allocator holds. */
  readonly reservedBytes: Float64Array;
  readonly allocations: Allocations;
  /** The first moment of the most allocated bytes. */
  readonly peakMoment: number;
  readonly notes: readonly SnapshotNote[];
}

/**
 * The history of a device's memory, replayed backwards from the segments and blocks at the snapshot's end: a history
 * begins in the middle, and only its end is known whole.
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

/** Devices with memory or a history. */
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
