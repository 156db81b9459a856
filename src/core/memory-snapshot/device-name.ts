import type {MemorySnapshot} from './memory-snapshot.js';

/** Returns the name of a snapshot's device: `GPU 0`, or its name in the profile. */
export function memoryDeviceName({profile}: Pick<MemorySnapshot, 'profile'>, device: number): string {
  return profile?.deviceNames[device] ?? `GPU ${String(device)}`;
}

/** Returns whether a device's memory is the host's. */
export function isHostMemory(snapshot: Pick<MemorySnapshot, 'profile'>, device: number): boolean {
  return memoryDeviceName(snapshot, device).startsWith('CPU');
}
