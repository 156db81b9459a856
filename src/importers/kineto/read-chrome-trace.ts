import {open, type FileHandle} from 'node:fs/promises';
import {basename} from 'node:path';
import type {TraceNote} from '../../core/trace/trace.js';
import {Enough, streamBytes} from '../reading/byte-stream.js';
import {fileError} from '../reading/file-head.js';
import {throwIfCancelled, type FileHead, type ImportOptions} from '../reading/importer.js';
import {ChromeTraceReader} from './chrome-trace-reader.js';
import type {ChromeTraceOutcome, ChromeTraceSink} from './chrome-trace-sink.js';

/** Progress is reported about this often, in bytes of the stored file. */
const progressStepBytes = {none: 8 << 20, gzip: 1 << 20, zstd: 1 << 20} as const;
const leastFastBytes = 128 << 10;

/** Returns whether a file is so small that reading it takes less time than allocating WebAssembly's memory. */
export function isSmall({bytes}: FileHead): boolean {
  return bytes < leastFastBytes;
}

/** The outcome of reading a file. */
export interface FileOutcome {
  readonly outcome: ChromeTraceOutcome;
  /** Why a compressed file was not read to its end, or null. */
  readonly loss: TraceNote | null;
}

/**
 * Reads a file of any size into a sink, which may still be reading `batchCount - 1` batches when it receives another.
 *
 * @throws TraceError `file/…`; `import/cancelled`
 */
export async function readChromeTrace(
  file: FileHead,
  sink: ChromeTraceSink,
  options: ImportOptions,
  batchCount = 1,
): Promise<FileOutcome> {
  const reader = new ChromeTraceReader(sink, {isLenient: isSmall(file), batchCount});
  let reportedBytes = 0;
  const report = (bytes: number) => {
    if (bytes < reportedBytes + progressStepBytes[file.compression] && bytes < file.bytes) return;
    reportedBytes = bytes;
    options.onProgress?.({bytes, totalBytes: file.bytes, events: reader.events});
  };
  const loss =
    file.compression === 'none'
      ? await readPlain(file, reader, options.signal, report)
      : await streamBytes(file, chunk => reader.push(chunk), {
          signal: options.signal,
          unpackedLimit: options.unpackedLimit,
          onRead: report,
        });
  return {outcome: reader.end(), loss};
}

/** Reads directly into the reader's window: the next chunk while one is scanned. */
async function readPlain(
  {path}: FileHead,
  reader: ChromeTraceReader,
  signal: AbortSignal | undefined,
  report: (bytes: number) => void,
): Promise<null> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    let reading = file.read(reader.target);
    for (let position = 0; ;) {
      const {bytesRead} = await reading;
      throwIfCancelled(signal, path);
      if (bytesRead === 0) return null;
      position += bytesRead;
      const from = file;
      const readOn = () => {
        reading = from.read(reader.target);
      };
      try {
        reader.pushTarget(bytesRead, readOn);
      } catch (error) {
        // The file must not be closed during a read, whose failure no longer matters.
        await reading.catch(() => undefined);
        throw error;
      }
      report(position);
    }
  } catch (error) {
    throw error instanceof Enough ? error : fileError(error, basename(path));
  } finally {
    await file?.close();
  }
}
