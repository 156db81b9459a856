import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {formatMegabytes, type MemoryLimit} from '../../core/trace/memory-limit.js';
import type {Trace} from '../../core/trace/trace.js';
import type {UnpackedLimit} from '../../core/trace/unpacked-limit.js';

/** How far an import has come. `totalBytes` is the size of the file as stored, compressed or not. */
export interface ImportProgress {
  readonly bytes: number;
  readonly totalBytes: number;
  readonly events: number;
}

export interface ImportOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: ImportProgress) => void) | undefined;
  /** How much a compressed file may unpack to; without one it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit | undefined;
  /** What the import may hold in memory; what was read by then is the trace. Without one there is no limit. */
  readonly memoryLimit?: MemoryLimit | undefined;
}

/** What is known of a file before it is read: enough to choose an importer. */
export interface FileHead {
  readonly path: string;
  readonly bytes: number;
  readonly compression: 'none' | 'gzip' | 'zstd';
  /** The first bytes, decompressed: up to 64 KiB. */
  readonly head: Buffer;
}

/** One per format. Detection is by content: a file's name may say anything. */
export interface Importer {
  readonly format: string;
  /** Whether the head belongs to this format. */
  readonly matches: (file: FileHead) => boolean;
  /**
   * @throws TraceError `import/…` where no event can be read
   */
  readonly read: (file: FileHead, options: ImportOptions) => Promise<Trace>;
}

/** The error for a file of which not even the first rows fit into the limit. */
export function tooMuchMemory({path}: FileHead, limit: MemoryLimit | undefined): TraceError {
  const size = limit ? formatMegabytes(limit) : 'there is';
  const advice = limit ? `: ${limit.name} raises the limit` : '';
  return new TraceError(
    'import/too-large',
    `The first events of ${basename(path)} need more memory than ${size}${advice}.`,
  );
}

/** @throws TraceError `import/cancelled` once the signal says so */
export function throwIfCancelled(signal: AbortSignal | undefined, path: string): void {
  if (signal?.aborted) throw new TraceError('import/cancelled', `Opening ${basename(path)} was cancelled.`);
}
