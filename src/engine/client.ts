import {Worker} from 'node:worker_threads';
import {TraceError} from '../core/errors.js';
import type {EngineRequests, OpenProgress, ProfileSummary} from '../protocol/engine-messages.js';
import {connect, type Ask, type CallOptions, type Connection} from '../protocol/rpc.js';
import {workerPort} from './worker-port.js';

/**
 * The engine's face: starts its worker with the first question, and again after one that died.
 *
 * Profiles live in the worker, so they are gone when it dies; `onLost` is called then, with the reason.
 */
export class EngineClient {
  #running: {worker: Worker; connection: Connection<EngineRequests>} | null = null;

  constructor(
    private readonly workerPath: string,
    private readonly onLost: (reason: string) => void,
  ) {}

  readonly ask: Ask<EngineRequests> = (method, params, options) => this.#start().ask(method, params, options);

  /**
   * Opens a profile. A cancel is answered at once, whatever the engine is at; what it opens all the same is closed again.
   *
   * @throws TraceError `import/cancelled`, and whatever opening throws
   */
  async open(
    params: EngineRequests['profile/open']['params'],
    options: CallOptions<OpenProgress> & {readonly signal: AbortSignal},
  ): Promise<ProfileSummary> {
    const {signal} = options;
    const opening = this.ask('profile/open', params, options);
    try {
      return await Promise.race([opening, cancelled(signal)]);
    } catch (error) {
      if (signal.aborted) opening.then(({id}) => this.ask('profile/close', {profile: id})).catch(() => undefined);
      throw error;
    }
  }

  async dispose(): Promise<void> {
    const running = this.#running;
    this.#running = null;
    running?.connection.close('GPU Lens was closed.');
    await running?.worker.terminate();
  }

  #start(): Connection<EngineRequests> {
    if (this.#running) return this.#running.connection;
    const worker = new Worker(this.workerPath);
    const connection = connect<EngineRequests>(workerPort(worker));
    const running = {worker, connection};
    this.#running = running;
    worker.on('error', error => {
      this.#lose(running, reasonOf(error));
    });
    worker.on('exit', () => {
      this.#lose(running, 'The engine has stopped.');
    });
    return connection;
  }

  #lose(running: {connection: Connection<EngineRequests>}, reason: string): void {
    running.connection.close(reason);
    if (this.#running !== running) return;
    this.#running = null;
    this.onLost(reason);
  }
}

/** Rejects once the signal is aborted. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(new TraceError('import/cancelled', 'Opening was cancelled.'));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, {once: true});
  });
}

function reasonOf(error: Error & {code?: string}): string {
  if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') return 'The profile is too large for the memory of this machine.';
  return `The engine has stopped: ${error.message}`;
}
