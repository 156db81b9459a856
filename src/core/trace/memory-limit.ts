import {formatCount} from '../format/count.js';
import {noteOf, type TraceNote} from './trace-note.js';

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
  return noteOf(
    memoryLimitCode,
    'The profile needs more than {0} of memory. GPU Lens shows what it read up to that limit. {1} raises the limit.',
    formatMegabytes(limit),
    limit.name,
  );
}
