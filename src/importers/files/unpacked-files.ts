import {closeSync, openSync, writeSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import {streamBytes} from '../reading/byte-stream.js';
import type {FileHead} from '../reading/importer.js';
import {CacheFolder, type CacheLimits} from './cache-folder.js';
import {fileDigest} from './file-identity.js';

/** Smaller compressed files are unpacked each time, which takes milliseconds. */
const worthBytes = 2e6;

/** A compressed file that was opened. */
export interface CompressedFile {
  readonly head: FileHead;
  readonly stamp: string;
  /** Aborts when the profile is closed. */
  readonly life: AbortSignal;
}

/**
 * Compressed files, unpacked on the disk, because a compressed stream cannot be read from the middle.
 *
 * The first read starts the unpacking, and returns as soon as its bytes are available. The unpacking continues, so that
 * later reads only read.
 */
export class UnpackedFiles {
  readonly #folder: CacheFolder;
  readonly #running = new Map<string, Unpacking>();
  /** Files that could not be unpacked; they are not tried again. */
  readonly #refused = new Set<string>();

  constructor(limits: CacheLimits) {
    this.#folder = new CacheFolder(limits);
  }

  /**
   * Returns up to `bytes` unpacked bytes from an offset; null if the file is too small to be worth it, too large for
   * the folder, or the folder cannot be written.
   *
   * @throws TraceError `import/cancelled`
   */
  async read(file: CompressedFile, offset: number, bytes: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    if (file.head.bytes < worthBytes) return null;
    const name = `${await fileDigest(file.head.path, file.stamp)}.unpacked`;
    if (this.#refused.has(name)) return null;
    const kept = await readPart(this.#folder.path(name), offset, bytes);
    if (kept) {
      await this.#folder.touch(name);
      return kept;
    }
    const unpacking = this.#running.get(name) ?? this.#begin(name, file);
    await unpacking.reach(offset + bytes, signal);
    // If it was finished meanwhile, it has its final name.
    return (await readPart(unpacking.path, offset, bytes)) ?? readPart(this.#folder.path(name), offset, bytes);
  }

  /** Discards an unpacked file that proved to be wrong. */
  async refuse({head, stamp}: CompressedFile): Promise<void> {
    const name = `${await fileDigest(head.path, stamp)}.unpacked`;
    this.#refused.add(name);
    await this.#folder.remove(name);
  }

  #begin(name: string, file: CompressedFile): Unpacking {
    const unpacking = new Unpacking();
    this.#running.set(name, unpacking);
    const mostBytes = this.#folder.limitBytes / 2;
    void this.#folder
      .add(name, path => unpacking.run(path, file, mostBytes))
      .catch(() => {
        if (!file.life.aborted) this.#refused.add(name);
      })
      .finally(() => {
        this.#running.delete(name);
        unpacking.end();
      });
    return unpacking;
  }
}

/** A file being unpacked. */
class Unpacking {
  path = '';
  #position = 0;
  #hasEnded = false;
  readonly #waiting = new Set<() => void>();

  /** @throws the error of the file system; an error if it takes more than `mostBytes` */
  async run(path: string, {head, life}: CompressedFile, mostBytes: number): Promise<void> {
    this.path = path;
    const target = openSync(path, 'wx');
    try {
      const take = (chunk: Uint8Array) => {
        if (this.#position + chunk.length > mostBytes) throw new RangeError('Unpacked, the file is too large to keep.');
        for (let done = 0; done < chunk.length;) done += writeSync(target, chunk, done);
        this.#position += chunk.length;
        this.#wake();
      };
      // A damaged stream yields only what precedes the damage.
      await streamBytes(head, take, {signal: life});
    } finally {
      closeSync(target);
    }
    const file = await open(path, 'r+');
    await file.sync().finally(() => file.close());
  }

  end(): void {
    this.#hasEnded = true;
    this.#wake();
  }

  /** Resolves once this many bytes are available, or there will be no more. */
  async reach(position: number, signal: AbortSignal | undefined): Promise<void> {
    while (!this.#hasEnded && this.#position < position) {
      throwIfCancelled(signal);
      await new Promise<void>(resolve => {
        const wake = () => {
          this.#waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal?.addEventListener('abort', wake);
      });
    }
    throwIfCancelled(signal);
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new TraceError('import/cancelled', say('Reading was cancelled.'));
}

/** Returns bytes of a plain file from an offset, up to its end; null if it cannot be read. */
async function readPart(path: string, offset: number, bytes: number): Promise<Uint8Array | null> {
  const file = await open(path, 'r').catch(() => null);
  if (file === null) return null;
  try {
    const {buffer, bytesRead} = await file.read(Buffer.alloc(bytes), 0, bytes, offset);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
