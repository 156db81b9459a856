import {basename} from 'node:path';
import {Worker} from 'node:worker_threads';
import {TraceError} from '../../core/base/errors.js';
import {say, currentWords} from '../../core/base/say.js';
import type {FileHead, ImportOptions} from '../reading/importer.js';
import {threadProgram} from '../reading/thread-program.js';
import type {ChromeTraceSink} from './chrome-trace-sink.js';
import {EventBatch} from './event-batch.js';
import type {FileOutcome} from './read-chrome-trace.js';
import {batchCount, type ScanMessage, type ScanOrder} from './scan-messages.js';

/**
 * Smaller files are faster to read without another thread: on two cores, which V8's compilers use as well, it takes 40
 * to 60 ms to start.
 */
const leastBytes = {none: 128 << 20, gzip: 1 << 20, zstd: 1 << 20} as const;

/**
 * Returns the scanning thread's program for a file; null if this thread must scan: for small files, and in unbundled
 * code.
 */
export function scanProgramFor({bytes, compression}: FileHead): string | null {
  return bytes < leastBytes[compression] ? null : threadProgram('scan');
}

/**
 * Reads a file into a sink as `readChromeTrace` does, while another thread scans ahead.
 *
 * @throws TraceError `file/…`; `import/cancelled`
 */
export async function scanInThread(
  program: string,
  file: FileHead,
  sink: ChromeTraceSink,
  {signal, onProgress, unpackedLimit}: ImportOptions,
): Promise<FileOutcome> {
  const credit = new Int32Array(new SharedArrayBuffer(4)).fill(batchCount - 1);
  const {path, bytes, compression} = file;
  const order: ScanOrder = {path, bytes, compression, unpackedLimit, credit, words: currentWords()};
  const worker = new Worker(program, {workerData: order});
  const {promise, resolve, reject} = Promise.withResolvers<FileOutcome>();
  const cancel = () => {
    reject(new TraceError('import/cancelled', say('Opening {0} was cancelled.', basename(file.path))));
  };
  let memory = new SharedArrayBuffer(0);
  const take = (message: ScanMessage) => {
    switch (message.type) {
      case 'memory':
        memory = message.buffer;
        break;
      case 'metadata':
        sink.metadata(message.key, message.json);
        break;
      case 'events':
        takeEvents(message, memory, sink);
        // Node hands on up to a thousand messages of a thread before anything else: a cancel would wait for them.
        setImmediate(() => {
          Atomics.add(credit, 0, 1);
          Atomics.notify(credit, 0);
        });
        break;
      case 'progress':
        onProgress?.(message.progress);
        break;
      case 'done':
        resolve(message.result);
        break;
      case 'failed':
        reject(new TraceError(message.code, message.message));
    }
  };
  worker.on('message', (message: ScanMessage) => {
    try {
      if (!signal?.aborted) take(message);
    } catch (error) {
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  });
  worker.on('error', error => reject(scanFailed(file, error)));
  worker.on('exit', () => reject(scanFailed(file, new Error(say('its thread has ended')))));
  signal?.addEventListener('abort', cancel);
  try {
    if (signal?.aborted) cancel();
    // A finished thread ends by itself while its rows are sorted.
    return await promise;
  } catch (error) {
    await worker.terminate();
    throw error;
  } finally {
    signal?.removeEventListener('abort', cancel);
  }
}

function takeEvents(
  message: Extract<ScanMessage, {type: 'events'}>,
  memory: SharedArrayBuffer,
  sink: ChromeTraceSink,
): void {
  for (const [number, text] of message.texts) sink.text(number, text);
  const batch = new EventBatch(memory, message.byteOffset);
  batch.length = message.length;
  for (const [row, text] of message.whole) batch.texts.set(row, text);
  sink.events(batch);
}

function scanFailed({path}: FileHead, cause: Error & {code?: string}): TraceError {
  const isOutOfMemory = cause.code === 'ERR_WORKER_OUT_OF_MEMORY';
  const reason = isOutOfMemory ? say('there is not enough memory') : cause.message;
  return new TraceError('file/unreadable', say('{0} cannot be read: {1}.', basename(path), reason), {cause});
}
