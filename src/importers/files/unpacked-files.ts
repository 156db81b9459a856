import {closeSync, openSync, writeSync} from 'node:fs';
import {open} from 'node:fs/promises';
import {TraceError} from '../../core/base/errors.js';
import {streamBytes} from '../reading/byte-stream.js';
import type {FileHead} from '../reading/importer.js';
import {CacheFolder, type CacheLimits} from './cache-folder.js';
import {fileDigest} from './file-identity.js';

/** What is compressed to less is unpacked anew each time: that takes milliseconds. */
const worthBytes = 2e6;

/** A compressed file that was opened. */
export interface CompressedFile {
  readonly head: FileHead;
  readonly stamp: string;
  /** Aborted when the profile is closed: nobody will ask any more. */
  readonly life: AbortSignal;
}

/**
 * Compressed files, unpacked on the disk, since there is no way into the middle of a compressed stream.
 *
 * The first question begins the unpacking, and is answered as soon as the bytes that it asks for are there; it goes on
 * behind that, so that the next question only reads.
 */
export class UnpackedFiles {
  readonly #folder: CacheFolder;
  readonly #running = new Map<string, Unpacking>();
  /** Those that could not be unpacked: no second try. */
  readonly #refused = new Set<string>();

  constructor(limits: CacheLimits) {
    this.#folder = new CacheFolder(limits);
  }

  /**
   * Up to `bytes` unpacked bytes from an offset; null where the file is not worth it, too large for the folder, or the
   * folder cannot be written.
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
    // Finished meanwhile, it has its final name.
    return (await readPart(unpacking.path, offset, bytes)) ?? readPart(this.#folder.path(name), offset, bytes);
  }

  /** Forgets what was unpacked of a file and proved to be wrong. */
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

/** One file on its way. */
class Unpacking {
  path = '';
  #position = 0;
  #hasEnded = false;
  readonly #waiting = new Set<() => void>();

  /** @throws the error of the file system; an error where it takes more than `mostBytes` */
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
      // What a damaged stream held before the damage is all that there will ever be.
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

  /** Resolves when so many bytes are there, or when there will be no more. */
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
  if (signal?.aborted) throw new TraceError('import/cancelled', 'Reading was cancelled.');
}

/** Bytes of a plain file from an offset, as far as it goes; null where it cannot be read. */
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
