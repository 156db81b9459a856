import type {Transform} from 'node:stream';
import {createGunzip, createZstdDecompress} from 'node:zlib';
import {noteOf, wordingOf, type TraceNote, type Wording} from '../../core/trace/trace-note.js';
import {formatLimit, type UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import type {ByteSink} from './byte-sink.js';
import {compressionOf} from './file-head.js';
import {NextTurn} from './next-turn.js';

/**
 * Number of bytes inflated at once. With small pieces two threads wait for each other more often. But a fault in a gzip
 * file loses the data before it in the same piece, so a small file has small pieces.
 */
const leastPieceBytes = 64 << 10;
const mostPieceBytes = 2 << 20;
/** No part of a compressed file is shorter; a skippable frame begins with its magic number and its length. */
const leastPartBytes = 8;
/**
 * A part costs a tenth of a millisecond, however small it is. Only malicious files have more parts than this with fewer
 * bytes on average.
 */
const mostTinyParts = 10_000;
const tinyPartBytes = 4096;
const skippableFrame = 0x184d2a50;
const otherData = wordingOf('there is other data after its end');
const tooManyParts = wordingOf('it has too many parts of a few bytes each');

type Piece = Buffer<ArrayBuffer>;

/**
 * Decompresses in flowing mode, so that nothing is lost when a later byte is damaged.
 *
 * Node inflates in another thread, which continues once an inflated piece has been taken. So each piece is passed on in
 * its own turn of the event loop, while the next one is inflated.
 */
export class InflatingSink implements ByteSink {
  readonly #pieceBytes: number;
  #inflate: Transform & {readonly bytesWritten: number};
  #hasEnded = false;
  /** Bytes after a part's end that are too few to identify. */
  #pending: Buffer = Buffer.alloc(0);
  /** Number of bytes still to be skipped. */
  #skippedBytes = 0;
  #damage: string | Wording | null = null;
  #unpackedBytes = 0;
  #parts = 1;
  #isOverLimit = false;
  /** The error that the receiver of the bytes threw. */
  #thrown: Error | null = null;

  readonly #nextTurn = new NextTurn<Piece>(piece => {
    // A few stored bytes can inflate to gigabytes that nobody needs any more.
    if (!this.#handOver(piece)) this.#inflate.destroy();
    // Frees the memory at once: the garbage collector would wait for dozens of pieces. A shorter piece shares its
    // memory with the next ones.
    if (piece.length === piece.buffer.byteLength) piece.buffer.transfer(0);
  });

  constructor(
    private readonly compression: 'gzip' | 'zstd',
    storedBytes: number,
    private readonly onBytes: (chunk: Buffer) => void,
    private readonly limit: UnpackedLimit | undefined,
  ) {
    this.#pieceBytes = Math.min(Math.max(storedBytes, leastPieceBytes), mostPieceBytes);
    this.#inflate = this.#begin();
  }

  get isDone(): boolean {
    return this.#damage !== null || this.#isOverLimit || this.#thrown !== null;
  }

  /** Resolves when the chunk has been decompressed, and all pieces but the last have been passed on. */
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
    this.#nextTurn.takeNow();
    if (this.#thrown) throw this.#thrown;
    return this.#loss();
  }

  #loss(): TraceNote | null {
    if (this.#isOverLimit && this.limit) {
      return noteOf(
        'file/unpacked-limit',
        'The file unpacks to more than {0}. GPU Lens shows what it read up to that limit. {1} raises the limit.',
        formatLimit(this.limit),
        this.limit.name,
      );
    }
    const damage = this.#damage ?? (this.#pending.length > 0 ? otherData : null);
    if (damage === null) return null;
    return noteOf(
      'file/damaged',
      'The compressed file is damaged or cut off ({0}). GPU Lens shows what comes before.',
      damage,
    );
  }

  close(): void {
    this.#nextTurn.cancel();
    this.#inflate.destroy();
  }

  #begin(): Transform & {readonly bytesWritten: number} {
    const options = {chunkSize: this.#pieceBytes};
    const inflate = this.compression === 'gzip' ? createGunzip(options) : createZstdDecompress(options);
    inflate.on('error', error => (this.#damage = error.message));
    inflate.on('end', () => (this.#hasEnded = true));
    inflate.on('data', (piece: Piece) => this.#nextTurn.put(piece));
    return inflate;
  }

  /** Passes on a piece. Returns whether more is wanted. */
  #handOver(piece: Piece): boolean {
    if (this.#thrown !== null || this.#isOverLimit) return false;
    const leftBytes = (this.limit?.bytes ?? Infinity) - this.#unpackedBytes;
    this.#unpackedBytes += piece.length;
    this.#isOverLimit = piece.length > leftBytes;
    try {
      this.onBytes(this.#isOverLimit ? piece.subarray(0, leftBytes) : piece);
      return !this.#isOverLimit;
    } catch (error) {
      this.#thrown = error instanceof Error ? error : new Error(String(error));
      return false;
    }
  }

  /** Removes zeros and skippable frames, which writers put after a part. */
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

  /** Returns whether another part begins: a file may consist of several, and Node's zstd ends after the first. */
  #beginsNext(rest: Buffer): boolean {
    if (compressionOf(rest) !== this.compression) {
      this.#damage = otherData;
      return false;
    }
    if (++this.#parts > mostTinyParts && this.#unpackedBytes / this.#parts < tinyPartBytes) {
      this.#damage = tooManyParts;
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
