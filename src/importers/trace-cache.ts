import {createHash} from 'node:crypto';
import {endianness} from 'node:os';
import {memoryLimitCode} from '../core/trace/memory-limit.js';
import {traceBytes} from '../core/trace/derived.js';
import type {Trace} from '../core/trace/trace.js';
import type {ImportOptions} from './reading/importer.js';
import {openTrace} from './open-trace.js';
import {CacheFolder, type CacheLimits} from './files/cache-folder.js';
import {fileDigest, fileStamp} from './files/file-identity.js';
import {readTraceFile, writeTraceFile} from './cache/trace-file.js';
import {modelDescription} from './cache/trace-head.js';

/** What takes less is imported again as fast as it is read back. */
const worthMs = 300;
const worthBytes = 20e6;

export interface OpenedTrace {
  readonly trace: Trace;
  /** What `fileStamp` said of the file before it was read. */
  readonly stamp: string;
  readonly isFromCache: boolean;
  /** Whether keeping the trace would make the next opening faster. */
  readonly isWorthKeeping: boolean;
}

/**
 * Traces as columns on the disk, so that a second opening need not import.
 *
 * A file's entry is found by its size, time and samples of its content, by the program that wrote the entry and by the
 * model's tables: whatever of these changes, the file is imported again.
 */
export class TraceCache {
  readonly #folder: CacheFolder;
  readonly #program: string;

  /** `program` changes with the program that imports: another version may read more of a file. */
  constructor(limits: CacheLimits, program: string) {
    this.#folder = new CacheFolder(limits);
    this.#program = createHash('sha256').update([program, modelDescription, endianness()].join('\n')).digest('hex');
  }

  /** Imports a file, or reads the trace that was kept of it. @throws TraceError as `openTrace` */
  async open(path: string, options: ImportOptions = {}): Promise<OpenedTrace> {
    const stamp = await fileStamp(path);
    const kept = await this.#find(path, stamp, options);
    if (kept) return {trace: kept, stamp, isFromCache: true, isWorthKeeping: false};
    const beganMs = performance.now();
    const trace = await openTrace(path, options);
    const isCostly = performance.now() - beganMs > worthMs || Number(stamp.split(' ')[0]) > worthBytes;
    // With more memory there would be more.
    const isWorthKeeping = isCostly && trace.notes.every(({code}) => code !== memoryLimitCode);
    return {trace, stamp, isFromCache: false, isWorthKeeping};
  }

  /**
   * Keeps a trace of a file that has not changed since `stamp`. Others get their turn meanwhile.
   *
   * @param options those that the file was opened with
   * @returns whether it is kept: a full disk or a folder that cannot be written only costs time
   */
  async keep(path: string, {trace, stamp}: OpenedTrace, options: ImportOptions, signal: AbortSignal): Promise<boolean> {
    try {
      const key = await this.#keyOf(path, stamp, options);
      if (traceBytes(trace) > this.#folder.limitBytes || (await fileStamp(path)) !== stamp) return false;
      await this.#folder.add(cacheFileName(key), partial => writeTraceFile(partial, key, trace, signal));
      return true;
    } catch {
      return false;
    }
  }

  async #find(path: string, stamp: string, options: ImportOptions): Promise<Trace | null> {
    const key = await this.#keyOf(path, stamp, options).catch(() => null);
    if (key === null) return null;
    const trace = await readTraceFile(
      this.#folder.path(cacheFileName(key)),
      key,
      options.signal,
      (bytes, totalBytes) => {
        options.onProgress?.({bytes, totalBytes, events: 0});
      },
    );
    if (trace !== null) await this.#folder.touch(cacheFileName(key));
    return trace;
  }

  /** Options that are data choose what is read, so they belong to the key; a trace that was cut for its size is not kept. */
  async #keyOf(path: string, stamp: string, options: ImportOptions): Promise<Buffer> {
    const digest = await fileDigest(path, stamp);
    const choices = JSON.stringify({...options, memoryLimit: undefined, signal: undefined, onProgress: undefined});
    return createHash('sha256').update([this.#program, digest, choices].join('\n')).digest();
  }
}

function cacheFileName(key: Buffer): string {
  return `${key.toString('hex')}.trace`;
}
