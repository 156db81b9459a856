import {streamBytes} from '../byte-stream.js';
import type {FileHead, ImportOptions} from '../importer.js';
import {ChromeTraceReader, type ChromeTraceOutcome, type ChromeTraceSink} from './chrome-trace-reader.js';

/** Progress is reported about this often, in bytes of the stored file. */
const progressStepBytes = 8 << 20;

/** A smaller file is read before the fast scanner would have its memory. */
const leastFastBytes = 128 << 10;

/** How reading a file went. */
export interface FileOutcome {
  readonly outcome: ChromeTraceOutcome;
  /** Why decompression stopped before the end, or null. */
  readonly damage: string | null;
}

/**
 * Reads a file of any size into a sink.
 *
 * @throws TraceError `file/…`; `import/cancelled`
 */
export async function readChromeTrace(
  file: FileHead,
  sink: ChromeTraceSink,
  {signal, onProgress}: ImportOptions,
): Promise<FileOutcome> {
  const reader = new ChromeTraceReader(sink, file.bytes < leastFastBytes);
  let reportedBytes = 0;
  const damage = await streamBytes(file, chunk => reader.push(chunk), {
    signal,
    onRead: bytes => {
      if (bytes < reportedBytes + progressStepBytes && bytes < file.bytes) return;
      reportedBytes = bytes;
      onProgress?.({bytes, totalBytes: file.bytes, events: reader.events});
    },
  });
  return {outcome: reader.end(), damage};
}
