import {createHash} from 'node:crypto';
import {endianness} from 'node:os';
import {memoryLimitCode} from '../core/trace/memory-limit.js';
import {traceBytes} from '../core/trace/derived.js';
import type {Trace} from '../core/trace/trace.js';
import type {ImportOptions} from './reading/importer.js';
import {openTrace} from './open-trace.js';
import {recordedCaptureStamp} from './recorded-capture.js';
import {CacheFolder, type CacheLimits} from './files/cache-folder.js';
import {fileDigest, fileStamp} from './files/file-identity.js';
import {readTraceFile, writeTraceFile} from './cache/trace-file.js';
import {modelDescription} from './cache/trace-head.js';

/** Importing again takes no longer than reading the cache below this time. */
const worthMs = 300;
const worthBytes = 20e6;

export interface OpenedTrace {
  readonly trace: Trace;
  /** The result of `fileStamp` before the file was read. */
  readonly stamp: string;
  readonly isFromCache: boolean;
  /** Whether caching the trace would make the next opening faster. */
  readonly isWorthKeeping: boolean;
}

/**
 * Traces cached on the disk as columns, so that reopening a profile needs no import.
 *
 * An entry is found by the file's size, time and samples of its content, and the size and time of the capture that was
 * recorded with it, by the program that wrote the entry, and by
 * the model's tables: if any of them changes, the file is imported again.
 */
export class TraceCache {
  readonly #folder: CacheFolder;
  readonly #program: string;

  /** `program` changes with the importing program, because another version may read more of a file. */
  constructor(limits: CacheLimits, program: string) {
    this.#folder = new CacheFolder(limits);
    this.#program = createHash('sha256').update([program, modelDescription, endianness()].join('\n')).digest('hex');
  }

  /** Imports a file, or reads its cached trace. @throws TraceError as `openTrace` */
  async open(path: string, options: ImportOptions = {}): Promise<OpenedTrace> {
    const stamp = await fileStamp(path);
    const kept = await this.#find(path, stamp, options);
    if (kept) return {trace: kept, stamp, isFromCache: true, isWorthKeeping: false};
    const beganMs = performance.now();
    const trace = await openTrace(path, options);
    const isCostly = performance.now() - beganMs > worthMs || Number(stamp.split(' ')[0]) > worthBytes;
    // With more memory, more could be read.
    const isWorthKeeping = isCostly && trace.notes.every(({code}) => code !== memoryLimitCode);
    return {trace, stamp, isFromCache: false, isWorthKeeping};
  }

  /**
   * Caches a trace of a file that has not changed since `stamp`. Yields to other work in between.
   *
   * @param options with which the file was opened
   * @returns whether it was cached: a full disk or an unwritable folder only costs time
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

  /**
   * Options that are data decide what is read, so they belong to the key; a trace that was cut for its size is not
   * cached.
   */
  async #keyOf(path: string, stamp: string, options: ImportOptions): Promise<Buffer> {
    const digest = await fileDigest(path, stamp);
    const choices = JSON.stringify({...options, memoryLimit: undefined, signal: undefined, onProgress: undefined});
    const capture = await recordedCaptureStamp(path);
    return createHash('sha256').update([this.#program, digest, choices, capture].join('\n')).digest();
  }
}

function cacheFileName(key: Buffer): string {
  return `${key.toString('hex')}.trace`;
}
