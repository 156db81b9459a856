import {open, type FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import {TraceError} from '../../core/base/errors.js';
import {say} from '../../core/base/say.js';
import type {TraceNote} from '../../core/trace/trace.js';
import type {UnpackedLimit} from '../../core/trace/unpacked-limit.js';
import {PlainSink, type ByteSink} from './byte-sink.js';
import {fileError} from './file-head.js';
import type {FileHead} from './importer.js';
import {InflatingSink} from './inflating-sink.js';

const readAtOnceBytes = 4 << 20;

export interface ByteStreamOptions {
  readonly signal?: AbortSignal | undefined;
  /** Bytes of the stored file read so far. */
  readonly onRead?: (bytes: number) => void;
  /** The most bytes that a compressed file may unpack to; if absent, it is unpacked to its end. */
  readonly unpackedLimit?: UnpackedLimit | undefined;
  /** The number of bytes read from the file at once. */
  readonly chunkBytes?: number;
}

/**
 * Passes the file's decompressed bytes to `onBytes`, chunk by chunk; a chunk is valid only during the call.
 *
 * Returns null, or a note on why a compressed stream was not read to its end: `file/damaged`, `file/unpacked-limit`.
 * The bytes before that have been passed on.
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
    if (options.signal?.aborted) throw new TraceError('import/cancelled', say('Opening {0} was cancelled.', name));
  };
  // One stored chunk can inflate to gigabytes, so the signal is also checked for each inflated part.
  const take = ({buffer, byteOffset, length}: Buffer) => {
    stopIfCancelled();
    // Not a Buffer, whose `slice` does not copy.
    onBytes(new Uint8Array(buffer, byteOffset, length));
  };
  const sink =
    file.compression === 'none'
      ? new PlainSink(take)
      : new InflatingSink(file.compression, file.bytes, take, options.unpackedLimit);
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

/** Thrown by a receiver that needs no more bytes. */
export class Enough extends Error {}

/** Passes the file's chunks to the sink, and reads the next one meanwhile. */
async function copy(handle: FileHandle, file: FileHead, sink: ByteSink, options: ByteStreamOptions): Promise<void> {
  const bytes = Math.min(options.chunkBytes ?? readAtOnceBytes, file.bytes);
  let [current, next] = [Buffer.allocUnsafeSlow(bytes), Buffer.allocUnsafeSlow(bytes)];
  let position = 0;
  let reading = handle.read(current, 0, bytes, position);
  for (;;) {
    const {bytesRead} = await reading;
    if (bytesRead === 0) return;
    position += bytesRead;
    reading = handle.read(next, 0, bytes, position);
    // A failure is handled when the chunk's turn comes, and must not count as unhandled until then.
    const settled = reading.catch(() => undefined);
    try {
      await sink.write(current.subarray(0, bytesRead));
    } catch (error) {
      // The file must not be closed during a read.
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
