import {open, type FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import type {Transform} from 'node:stream';
import {createGunzip, createZstdDecompress} from 'node:zlib';
import {TraceError} from '../core/errors.js';
import type {TraceNote} from '../core/trace/trace.js';
import {formatLimit, type UnpackedLimit} from '../core/unpacked-limit.js';
import {compressionOf, fileError} from './file-head.js';
import type {FileHead} from './importer.js';

const readAtOnceBytes = 4 << 20;
const inflatedBytes = 1 << 20;

export interface ByteStreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the stored file read so far. */
  readonly onRead?: (bytes: number) => void;
  /** How much a compressed file may unpack to; without one it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit | undefined;
  /** What is read from the file at once. */
  readonly chunkBytes?: number;
}

/**
 * Hands the file's decompressed bytes to `onBytes`, chunk by chunk; a chunk is only valid during the call.
 *
 * Returns null, or a note that says why a compressed stream was not read to its end: `file/damaged`,
 * `file/unpacked-limit`. What came before has been handed over then.
 *
 * @throws TraceError `file/…`; `import/cancelled`
 */
export async function streamBytes(
  file: FileHead,
  onBytes: (chunk: Uint8Array) => void,
  options: ByteStreamOptions,
): Promise<TraceNote | null> {
  const name = basename(file.path);
  const handle = await open(file.path, 'r').catch((error: unknown) => {
    throw fileError(error, name);
  });
  const stopIfCancelled = () => {
    if (options.signal?.aborted) throw new TraceError('import/cancelled', `Opening ${name} was cancelled.`);
  };
  // One stored chunk can inflate to gigabytes, so each part that comes out of it asks too.
  const take = ({buffer, byteOffset, length}: Buffer) => {
    stopIfCancelled();
    // Not as a Buffer, whose `slice` is no copy.
    onBytes(new Uint8Array(buffer, byteOffset, length));
  };
  const sink =
    file.compression === 'none'
      ? new PlainSink(take)
      : new InflatingSink(file.compression, take, options.unpackedLimit);
  try {
    await copy(handle, file, sink, options);
    return await sink.end();
  } catch (error) {
    throw error instanceof TraceError || error instanceof Enough ? error : fileError(error, name);
  } finally {
    sink.close();
    await handle.close();
  }
}

/** Thrown by a receiver of bytes that wants no more. */
export class Enough extends Error {}

/** Takes the stored bytes; `isDone` once it can take no more. */
interface Sink {
  readonly isDone: boolean;
  write(chunk: Buffer): Promise<void> | void;
  end(): Promise<TraceNote | null> | null;
  close(): void;
}

/** Hands the file's chunks to the sink, and reads the next one meanwhile. */
async function copy(handle: FileHandle, file: FileHead, sink: Sink, options: ByteStreamOptions): Promise<void> {
  const bytes = Math.min(options.chunkBytes ?? readAtOnceBytes, file.bytes);
  let [current, next] = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
  let position = 0;
  let reading = handle.read(current, 0, bytes, position);
  for (;;) {
    const {bytesRead} = await reading;
    if (bytesRead === 0) return;
    position += bytesRead;
    reading = handle.read(next, 0, bytes, position);
    // A failure is met when its turn comes, and must not count as unhandled until then.
    const settled = reading.catch(() => undefined);
    try {
      await sink.write(current.subarray(0, bytesRead));
    } catch (error) {
      // The file must not be closed under a read.
      await settled;
      throw error;
    }
    options.onRead?.(position);
    if (sink.isDone) {
      await settled;
      return;
    }
    [current, next] = [next, current];
  }
}

class PlainSink implements Sink {
  readonly isDone = false;

  constructor(private readonly onBytes: (chunk: Buffer) => void) {}

  write(chunk: Buffer): void {
    this.onBytes(chunk);
  }

  end(): null {
    return null;
  }

  close(): void {
    // Nothing is held.
  }
}

/** No part of a compressed file is shorter; a frame to be skipped begins with its mark and its length. */
const leastPartBytes = 8;
const skippableFrame = 0x184d2a50;
const otherData = 'there is other data behind its end';

/** Decompresses in flowing mode: each part is handed over at once, so nothing is lost when a later byte is damaged. */
class InflatingSink implements Sink {
  #inflate: Transform & {readonly bytesWritten: number};
  #hasEnded = false;
  /** What has come behind a part's end and is too little to tell what it is. */
  #pending: Buffer = Buffer.alloc(0);
  /** Bytes that are to be passed over. */
  #skippedBytes = 0;
  #damage: string | null = null;
  #unpackedBytes = 0;
  #isOverLimit = false;
  /** What the receiver of the bytes threw. */
  #thrown: Error | null = null;

  constructor(
    private readonly compression: 'gzip' | 'zstd',
    private readonly onBytes: (chunk: Buffer) => void,
    private readonly limit: UnpackedLimit | undefined,
  ) {
    this.#inflate = this.#begin();
  }

  get isDone(): boolean {
    return this.#damage !== null || this.#isOverLimit || this.#thrown !== null;
  }

  /** Resolves when the chunk has been decompressed and handed over. */
  async write(chunk: Buffer): Promise<void> {
    let rest = this.#pending.length > 0 ? Buffer.concat([this.#pending, chunk]) : chunk;
    this.#pending = Buffer.alloc(0);
    while (rest.length > 0 && !this.isDone) {
      if (this.#hasEnded) {
        rest = this.#withoutPadding(rest);
        if (rest.length < leastPartBytes) this.#pending = Buffer.from(rest);
        if (rest.length < leastPartBytes || !this.#beginsNext(rest)) return;
      }
      const before = this.#inflate.bytesWritten;
      const part = rest;
      await this.#settle(done => this.#inflate.write(part, done));
      rest = this.#hasEnded ? rest.subarray(this.#inflate.bytesWritten - before) : rest.subarray(rest.length);
    }
  }

  async end(): Promise<TraceNote | null> {
    if (!this.isDone && !this.#hasEnded) {
      await this.#settle(done => {
        this.#inflate.once('end', done);
        this.#inflate.end();
      });
    }
    if (this.#thrown) throw this.#thrown;
    return this.#loss();
  }

  #loss(): TraceNote | null {
    if (this.#isOverLimit && this.limit) {
      const text = `The file unpacks to more than ${formatLimit(this.limit)}: what came before is shown (${this.limit.name} raises the limit).`;
      return {code: 'file/unpacked-limit', text};
    }
    const damage = this.#damage ?? (this.#pending.length > 0 ? otherData : null);
    if (damage === null) return null;
    const text = `The compressed file is damaged or cut off (${damage}): what came before is shown.`;
    return {code: 'file/damaged', text};
  }

  close(): void {
    this.#inflate.destroy();
  }

  #begin(): Transform & {readonly bytesWritten: number} {
    const options = {chunkSize: inflatedBytes};
    const inflate = this.compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
    inflate.on('error', error => (this.#damage = error.message));
    inflate.on('end', () => (this.#hasEnded = true));
    inflate.on('data', (chunk: Buffer) => {
      // A few stored bytes can stand for gigabytes that nobody takes any more.
      if (!this.#handOver(chunk)) inflate.destroy();
    });
    return inflate;
  }

  /** Whether more is wanted. */
  #handOver(chunk: Buffer): boolean {
    if (this.#thrown !== null || this.#isOverLimit) return false;
    const leftBytes = (this.limit?.bytes ?? Infinity) - this.#unpackedBytes;
    this.#unpackedBytes += chunk.length;
    this.#isOverLimit = chunk.length > leftBytes;
    try {
      this.onBytes(this.#isOverLimit ? chunk.subarray(0, leftBytes) : chunk);
      return !this.#isOverLimit;
    } catch (error) {
      this.#thrown = error instanceof Error ? error : new Error(String(error));
      return false;
    }
  }

  /** Zeros and frames to be skipped, which writers put behind a part. */
  #withoutPadding(rest: Buffer): Buffer {
    for (;;) {
      const skipped = Math.min(this.#skippedBytes, rest.length);
      this.#skippedBytes -= skipped;
      rest = rest.subarray(skipped);
      while (rest[0] === 0) rest = rest.subarray(1);
      const isSkippable = rest.length >= leastPartBytes && (rest.readUInt32LE(0) & 0xfffffff0) === skippableFrame;
      if (!isSkippable || this.compression !== 'zstd') return rest;
      this.#skippedBytes = leastPartBytes + rest.readUInt32LE(4);
    }
  }

  /** A file may be of several parts, one behind the other; Node's zstd ends with the first. */
  #beginsNext(rest: Buffer): boolean {
    if (compressionOf(rest) !== this.compression) {
      this.#damage = otherData;
      return false;
    }
    this.#inflate.destroy();
    this.#hasEnded = false;
    this.#inflate = this.#begin();
    return true;
  }

  /** Waits for `begin`'s callback, or for the stream's error. */
  #settle(begin: (done: () => void) => void): Promise<void> {
    return new Promise(resolve => {
      const inflate = this.#inflate;
      const done = () => {
        inflate.off('error', done);
        inflate.off('close', done);
        resolve();
      };
      inflate.once('error', done);
      inflate.once('close', done);
      begin(done);
    });
  }
}
