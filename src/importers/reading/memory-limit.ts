import {totalmem} from 'node:os';
import type {MemoryLimit} from '../../core/trace/memory-limit.js';

/**
 * What traces may hold together, in bytes: the user's limit, or else a third of the memory of the machine (of the
 * container, where that is less).
 *
 * A third, because an import holds its columns twice for a moment: at the limit, the next profile of that size still
 * fits, and what is left is the editor's and the training script's.
 */
export function memoryLimitBytes(chosenBytes: number | null): number {
  return chosenBytes ?? machineBytes() / 3;
}

/** The memory of the machine, or of the container where that is less. */
export function machineBytes(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

/** An import may always hold this much: with less, even small profiles would not open. */
const leastImportBytes = 100e6;

/** What one import may hold under the setting. */
export function settingMemoryLimit(chosenBytes: number | null): MemoryLimit {
  return {bytes: Math.max(leastImportBytes, memoryLimitBytes(chosenBytes)), name: 'gpuLens.memoryLimitMB'};
}

/** A program, its buffers and what answers take, besides traces. */
const programBytes = 1e9;

/**
 * What a process that holds traces may take in all before it is ended, in bytes, under the setting.
 *
 * Traces at the limit, and an import at the limit beside them that holds its columns twice, stay below it; but a tenth of
 * the machine's memory is left in any case, so that the system ends nothing else.
 */
export function processCeilingBytes(chosenBytes: number | null): number {
  return Math.min(0.9 * machineBytes(), programBytes + 3 * settingMemoryLimit(chosenBytes).bytes);
}
