import {memoryDeviceName} from './device-name.js';
import {eventsOf} from './events-of.js';
import {memoryAt, type MemoryAt} from './memory-report.js';
import {traceActions, type MemorySnapshot} from './memory-snapshot.js';
import {replayDevice, snapshotDevices} from './replay.js';
import {fragmentation, segmentUse, type Fragmentation} from './segment-use.js';

/** A few figures about a device of a snapshot. */
export interface DeviceMemoryInfo {
  readonly device: number;
  readonly name: string;
  readonly events: number;
  readonly peak: MemoryAt;
  readonly end: {readonly allocatedBytes: number; readonly reservedBytes: number};
  /** The number of times that the allocator ran out of memory within the history. */
  readonly outOfMemory: number;
  /** The use of the segments at the end. */
  readonly fragmentation: Fragmentation;
}

const oom = traceActions.indexOf('oom');

/** Returns the figures of each device with memory or a history, by number. @see docs/metrics.md#memory-snapshots */
export function snapshotInfo(snapshot: MemorySnapshot): DeviceMemoryInfo[] {
  const use = segmentUse(snapshot);
  return snapshotDevices(snapshot).map(device => {
    const memory = replayDevice(snapshot, device);
    const {allocatedBytes, reservedBytes} = memoryAt(memory, memory.eventCount);
    return {
      device,
      name: memoryDeviceName(snapshot, device),
      events: memory.eventCount,
      peak: memoryAt(memory, memory.peakMoment),
      end: {allocatedBytes, reservedBytes},
      outOfMemory: eventsOf(snapshot, device).action.filter(action => action === oom).length,
      fragmentation: fragmentation(snapshot, device, use),
    };
  });
}
