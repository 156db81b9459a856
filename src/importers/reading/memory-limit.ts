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
  return chosenBytes ?? Math.min(totalmem(), containerBytes()) / 3;
}

/** Infinity where nothing constrains the process. */
function containerBytes(): number {
  const bytes = process.constrainedMemory();
  return bytes > 0 ? bytes : Infinity;
}

/** An import may always hold this much: with less, even small profiles would not open. */
const leastImportBytes = 100e6;

/** What one import may hold under the setting. */
export function settingMemoryLimit(chosenBytes: number | null): MemoryLimit {
  return {bytes: Math.max(leastImportBytes, memoryLimitBytes(chosenBytes)), name: 'gpuLens.memoryLimitMB'};
}
