import {workerData} from 'node:worker_threads';
import {StringTable} from '../../core/table/string-table.js';
import {BatchRing} from './batch-ring.js';
import type {PageMessage, PageOrder, PageThreadStart} from './page-messages.js';
import {PageTableSource} from './page-table-source.js';

/** The program of the thread that reads pages: fills the batches of one table after the other. */
const {file, port} = workerData as PageThreadStart;
// Sending a Buffer to a thread turns it into a plain array.
const ownFile = {...file, head: Buffer.from(file.head)};
const strings = new StringTable();
let source: PageTableSource | null = null;
let sentTexts = 1;

port.on('message', ({plain, requests, memory}: PageOrder) => {
  const ring = new BatchRing(requests, memory);
  try {
    source ??= new PageTableSource(ownFile, () => plain, strings);
    ring.write(source.filler(plain, ring.batches), sendTexts);
  } catch (error) {
    send({type: 'failed', message: error instanceof Error ? error.message : String(error)});
    ring.fail();
  }
});

function sendTexts(): void {
  if (sentTexts === strings.length) return;
  const texts = Array.from({length: strings.length - sentTexts}, (_, at) => strings.get(sentTexts + at));
  sentTexts = strings.length;
  send({type: 'texts', texts});
}

function send(message: PageMessage): void {
  port.postMessage(message);
}
