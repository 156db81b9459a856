import {MessageChannel, receiveMessageOnPort, Worker, type MessagePort} from 'node:worker_threads';
import type {StringTable} from '../../core/table/string-table.js';
import type {FileHead} from '../reading/importer.js';
import type {BatchBuilder} from './batch-builder.js';
import {BatchRing} from './batch-ring.js';
import {NotPlain} from './not-plain.js';
import type {PageMessage, PageOrder, PageThreadStart} from './page-messages.js';
import {PageTableSource} from './page-table-source.js';
import type {PlainTable} from './plain-table.js';
import type {Batch, ColumnRequests, TableSource} from './table-source.js';

/** A batch takes about a millisecond: a thread that is silent for this long has been ended. */
const usualPatienceMs = 20_000;

/**
 * Reads tables from pages as `PageTableSource` does, but in a separate thread: it reads the next rows while others are
 * used.
 */
export class ThreadedTableSource implements TableSource {
  readonly #worker: Worker;
  readonly #port: MessagePort;
  /** Indices into `strings` by the thread's number of a text. */
  readonly #indices = [0];
  #failure = '';
  #isReading = false;

  /**
   * @param program the thread's program
   * @param describe as for `PageTableSource`
   */
  constructor(
    program: string,
    readonly file: FileHead,
    readonly describe: (table: string) => PlainTable,
    readonly strings: StringTable,
    readonly patienceMs = usualPatienceMs,
  ) {
    const {port1, port2} = new MessageChannel();
    this.#port = port1;
    const start: PageThreadStart = {file, port: port2};
    this.#worker = new Worker(program, {workerData: start, transferList: [port2]});
    // The waiting reader gets no batch, and gives up.
    this.#worker.on('error', () => undefined);
    this.#worker.unref();
  }

  *read<R extends ColumnRequests>(table: string, requests: R): Generator<Batch<R>> {
    // The thread reads one table at a time; tables requested meanwhile are small.
    if (this.#isReading) {
      yield* this.#readHere(table, requests);
      return;
    }
    const ring = new BatchRing(requests);
    const order: PageOrder = {plain: this.describe(table), requests, memory: ring.memory};
    this.#port.postMessage(order);
    this.#isReading = true;
    try {
      for (;;) {
        const batch = ring.next(this.patienceMs);
        this.#receive();
        if (batch === null) return;
        if (batch === 'failed') throw new NotPlain(this.#failure);
        if (batch === 'silent') throw new NotPlain('the thread that reads pages does not answer');
        this.#renumberTexts(batch);
        yield batch;
        ring.release();
      }
    } finally {
      ring.stop();
      this.#isReading = false;
    }
  }

  close(): void {
    this.#port.close();
    void this.#worker.terminate();
  }

  *#readHere<R extends ColumnRequests>(table: string, requests: R): Generator<Batch<R>> {
    const source = new PageTableSource(this.file, this.describe, this.strings);
    try {
      yield* source.read(table, requests);
    } finally {
      source.close();
    }
  }

  #receive(): void {
    for (;;) {
      const received = receiveMessageOnPort(this.#port) as {message: PageMessage} | undefined;
      if (!received) return;
      const {message} = received;
      if (message.type === 'failed') this.#failure = message.message;
      else for (const text of message.texts) this.#indices.push(this.strings.intern(text));
    }
  }

  #renumberTexts(batch: BatchBuilder<ColumnRequests>): void {
    batch.requests.forEach(({form}, at) => {
      if (form !== 'text') return;
      const numbers = batch.column(at);
      for (let row = 0; row < batch.length; row++) numbers[row] = this.#indices[numbers[row]];
    });
  }
}
