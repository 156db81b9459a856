import type {MemorySnapshot} from './memory-snapshot.js';

/** What a device of a snapshot is called: `GPU 0`, or as its profile has it. */
export function memoryDeviceName({profile}: Pick<MemorySnapshot, 'profile'>, device: number): string {
  return profile?.deviceNames[device] ?? `GPU ${String(device)}`;
}

/** Whether a device's memory is that of the host. */
export function isHostMemory(snapshot: Pick<MemorySnapshot, 'profile'>, device: number): boolean {
  return memoryDeviceName(snapshot, device).startsWith('CPU');
}
