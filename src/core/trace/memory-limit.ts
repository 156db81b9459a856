import {formatCount} from '../format/count.js';
import type {TraceNote} from './trace.js';

/** The memory that an import may use: a small compressed file can hold more rows than fit in memory. */
export interface MemoryLimit {
  readonly bytes: number;
  /** The setting or command-line option that raises it. */
  readonly name: string;
}

/** The code of the note on a trace that was not read to its end for lack of memory. */
export const memoryLimitCode = 'import/memory-limit';

/** Returns a limit as text: `2,000 MB`. */
export function formatMegabytes({bytes}: MemoryLimit): string {
  return `${formatCount(Math.round(bytes / 1e6))} MB`;
}

/** Returns the note that reading stopped at the limit. */
export function memoryLimitNote(limit: MemoryLimit): TraceNote {
  return {
    code: memoryLimitCode,
    text: `The profile needs more than ${formatMegabytes(limit)} of memory: what was read by then is shown (${limit.name} raises the limit).`,
  };
}
