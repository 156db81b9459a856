import {Worker} from 'node:worker_threads';
import {say} from '../core/base/say.js';
import {connect, type Connection} from '../protocol/rpc.js';
import type {ReadFile, SourceRequests} from '../protocol/source-messages.js';
import {workerPort} from './worker-port.js';

/** The worker ends after being idle for this long, because its parsers take memory. */
const idleMs = 30_000;

interface Running {
  readonly worker: Worker;
  readonly connection: Connection<SourceRequests>;
}

/** Reads sources in a separate worker, which starts when there is something to read. */
export class SourceClient {
  #running: Running | null = null;
  #asking = 0;
  #idle: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly workerPath: string) {}

  /**
   * Reads files and reports their contents, a few at a time. A cancel ends it early.
   *
   * @throws TraceError `rpc/closed` if the worker has died
   */
  async read(
    paths: readonly string[],
    take: (files: readonly ReadFile[]) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    clearTimeout(this.#idle);
    this.#asking++;
    try {
      const {connection} = (this.#running ??= this.#start());
      await connection.ask('sources/read', {paths}, {signal, onProgress: take});
    } finally {
      if (--this.#asking === 0) this.#idle = setTimeout(() => void this.dispose(), idleMs).unref();
    }
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#idle);
    const running = this.#running;
    this.#running = null;
    running?.connection.close(say('GPU Lens was closed.'));
    await running?.worker.terminate();
  }

  #start(): Running {
    const worker = new Worker(this.workerPath);
    const running = {worker, connection: connect<SourceRequests>(workerPort(worker))};
    const lose = (reason: string) => {
      if (this.#running === running) this.#running = null;
      running.connection.close(reason);
    };
    worker.on('error', error => {
      lose(say('Reading the sources stopped: {0}', error.message));
    });
    worker.on('exit', () => {
      lose(say('Reading the sources stopped.'));
    });
    return running;
  }
}
