import type {NsysReader} from '../database/nsys-reader.js';

/** Below the streams, below the threads: NsysTracks has the places of those. */
const order = {synchronisation: 2, pageFaults: 3, memory: 4, scheduling: 15} as const;

/** Returns the track of synchronisation on a stream, or of a whole context (`stream` null). */
export function syncTrack(
  {builder, tracks}: NsysReader,
  processKey: number,
  device: number,
  context: number,
  stream: number | null,
): number {
  const of = stream === null ? `Context ${String(context)}` : `Stream ${String(stream)}`;
  tracks.devicesUsed.add(device);
  return builder.track({
    kind: 'other',
    process: tracks.process(processKey),
    device,
    id: `sync ${String(processKey)} ${String(context)} ${of}`,
    name: `${of} · synchronisation`,
    order: order.synchronisation,
  });
}

/** Returns the track that shows when a thread ran on a CPU, separate from the thread's own track. */
export function schedulingTrack({builder, tracks}: NsysReader, processKey: number, tid: number): number {
  return builder.track({
    kind: 'other',
    process: tracks.process(processKey),
    device: -1,
    id: `scheduling ${String(processKey)} ${String(tid)}`,
    name: `thread ${String(tid)} · on CPU`,
    order: order.scheduling,
  });
}

/**
 * Returns the track of a process's CUDA allocations on a device, or in the host's memory (`device` -1); it holds
 * instants.
 */
export function memoryTrack({builder, tracks}: NsysReader, processKey: number, device: number): number {
  if (device >= 0) tracks.devicesUsed.add(device);
  return builder.track({
    kind: 'other',
    process: tracks.process(processKey),
    device,
    id: `memory ${String(processKey)}`,
    name: 'CUDA memory',
    order: order.memory,
  });
}

/** Returns the track of a process's unified memory page faults on a device, or on the CPU (`device` -1). */
export function pageFaultTrack({builder, tracks}: NsysReader, processKey: number, device: number): number {
  if (device >= 0) tracks.devicesUsed.add(device);
  return builder.track({
    kind: 'other',
    process: tracks.process(processKey),
    device,
    id: `page faults ${String(processKey)}`,
    name: 'Unified memory · page faults',
    order: order.pageFaults,
  });
}
