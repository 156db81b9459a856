import {parentPort, workerData} from 'node:worker_threads';
import {describeError} from '../../core/base/errors.js';
import {setWords} from '../../core/base/say.js';
import type {ChromeTraceSink} from './chrome-trace-sink.js';
import {readChromeTrace} from './read-chrome-trace.js';
import type {ImportProgress} from '../reading/importer.js';
import {batchCount, type ScanMessage, type ScanOrder} from './scan-messages.js';

/** The scanning thread's program: reads one file, sends its contents, and ends. */
async function main({credit, unpackedLimit, words, ...file}: ScanOrder): Promise<void> {
  setWords(words);
  try {
    const options = {unpackedLimit, onProgress: (progress: ImportProgress) => send({type: 'progress', progress})};
    const result = await readChromeTrace({...file, head: Buffer.alloc(0)}, sendingSink(credit), options, batchCount);
    send({type: 'done', result});
  } catch (error) {
    send({type: 'failed', ...describeError(error, 'file/unreadable')});
  }
}

function sendingSink(credit: Int32Array<SharedArrayBuffer>): ChromeTraceSink {
  let texts: [number, string][] = [];
  let shared: ArrayBufferLike | null = null;
  return {
    text: (number, text) => texts.push([number, text]),
    metadata: (key, json) => send({type: 'metadata', key, json}),
    events: ({buffer, byteOffset, length, texts: whole}) => {
      while (Atomics.load(credit, 0) === 0) Atomics.wait(credit, 0, 0);
      Atomics.sub(credit, 0, 1);
      if (buffer !== shared) send({type: 'memory', buffer: buffer as SharedArrayBuffer});
      shared = buffer;
      send({type: 'events', byteOffset, length, texts, whole});
      texts = [];
    },
  };
}

function send(message: ScanMessage): void {
  parentPort?.postMessage(message);
}

void main(workerData as ScanOrder);
