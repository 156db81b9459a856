import {formatCount} from '../format/count.js';
import type {TraceNote} from './trace.js';

/** What an import may hold in memory: a small compressed file can stand for more rows than the machine has room for. */
export interface MemoryLimit {
  readonly bytes: number;
  /** What a person changes to raise it: a setting, or an option of the command line. */
  readonly name: string;
}

/** The code of the note on a trace that was not read to its end for lack of memory. */
export const memoryLimitCode = 'import/memory-limit';

/** A limit as a person reads it: `2,000 MB`. */
export function formatMegabytes({bytes}: MemoryLimit): string {
  return `${formatCount(Math.round(bytes / 1e6))} MB`;
}

/** Says that reading ended at the limit. */
export function memoryLimitNote(limit: MemoryLimit): TraceNote {
  return {
    code: memoryLimitCode,
    text: `The profile needs more than ${formatMegabytes(limit)} of memory: what was read by then is shown (${limit.name} raises the limit).`,
  };
}
