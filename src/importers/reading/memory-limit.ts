import {totalmem} from 'node:os';
import type {MemoryLimit} from '../../core/trace/memory-limit.js';

/**
 * Returns the memory that all traces together may hold, in bytes: the user's limit, else a third of the memory of the
 * machine (or of the container, if that is less).
 *
 * A third, because an import briefly holds its columns twice: at the limit, the next profile of that size still fits,
 * and the rest is left to the editor and the training script.
 */
export function memoryLimitBytes(chosenBytes: number | null): number {
  return chosenBytes ?? machineBytes() / 3;
}

/** Returns the memory of the machine, or of the container if that is less. */
export function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** An import may always hold this much: with less, even small profiles would not open. */
const leastImportBytes = 100e6;

/** Returns the memory limit of one import under the setting. */
export function settingMemoryLimit(chosenBytes: number | null): MemoryLimit {
  return {bytes: Math.max(leastImportBytes, memoryLimitBytes(chosenBytes)), name: 'gpuLens.memoryLimitMB'};
}

/** Memory of a program, its buffers and its answers, besides traces. */
const programBytes = 1e9;

/**
 * Returns the memory in bytes at which a process that holds traces is ended, under the setting.
 *
 * Traces at the limit, plus an import at the limit that holds its columns twice, stay below it. But a tenth of the
 * machine's memory is always left, so that the system kills no other process.
 */
export function processCeilingBytes(chosenBytes: number | null): number {
  return Math.min(0.9 * machineBytes(), programBytes + 3 * settingMemoryLimit(chosenBytes).bytes);
}
