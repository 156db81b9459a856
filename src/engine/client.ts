import {basename} from 'node:path';
import {Worker, type ResourceLimits} from 'node:worker_threads';
import {TraceError} from '../core/base/errors.js';
import type {
  EngineRequests,
  EngineSettings,
  EngineStart,
  KeptProfile,
  OpenProgress,
  ProfileId,
  ProfileSummary,
} from '../protocol/engine-messages.js';
import {connect, type Ask, type CallOptions, type Connection} from '../protocol/rpc.js';
import {workerPort} from './worker-port.js';

/** A profile at whose questions the worker died this often in a row is not tried again. */
const mostDeaths = 2;

export interface EngineClientOptions {
  readonly workerPath: string;
  /** Read whenever the worker is started. */
  readonly settings: () => EngineSettings;
  /**
   * Called when the worker has died, with one sentence (what was being asked has failed with the same), and what it died
   * of where that is known.
   */
  readonly onLost: (reason: string, error: Error | null) => void;
  readonly resourceLimits?: ResourceLimits;
}

/** A profile that the worker holds, or comes back with. */
interface Known extends KeptProfile {
  deaths: number;
}

interface Running {
  readonly worker: Worker;
  readonly connection: Connection<EngineRequests>;
  /** Paths of profiles that are being opened. */
  readonly opening: Map<number, string>;
  /** Profiles that are being asked about. */
  readonly asked: Map<number, ProfileId>;
}

/**
 * The engine's face: starts its worker with the first question, and again after one that died.
 *
 * Open profiles outlive their worker: the next one is told of them, and reads each again when it is asked about.
 */
export class EngineClient {
  #running: Running | null = null;
  readonly #profiles = new Map<ProfileId, Known>();
  #nextCall = 0;

  constructor(private readonly options: EngineClientOptions) {}

  readonly ask: Ask<EngineRequests> = async (method, params, options) => {
    if (method === 'profile/close' && 'profile' in params) {
      this.#profiles.delete(params.profile);
      // A worker that does not run holds nothing.
      if (!this.#running) return undefined;
    }
    const {opening, asked, connection} = this.#start();
    const call = this.#nextCall++;
    const profile = 'profile' in params ? params.profile : null;
    if (profile !== null) this.#refuseDeadly(profile);
    if ('path' in params) opening.set(call, params.path);
    if (profile !== null) asked.set(call, profile);
    try {
      const result = await connection.ask(method, params, options);
      if ('path' in params) this.#remember(params.path, result as EngineRequests['profile/open']['result']);
      if (profile !== null) this.#wasAnswered(profile);
      return result;
    } finally {
      opening.delete(call);
      asked.delete(call);
    }
  };

  /** Tells a worker that runs of changed settings; one that is started later reads them itself. */
  async configure(): Promise<void> {
    // One that dies meanwhile is followed by another, which reads the settings when it starts.
    await this.#running?.connection.ask('engine/configure', this.options.settings()).catch(() => undefined);
  }

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

  #start(): Running {
    if (this.#running) return this.#running;
    const {workerPath, settings, resourceLimits} = this.options;
    const start: EngineStart = {
      settings: settings(),
      profiles: [...this.#profiles.values()].map(({id, path, stamp}) => ({id, path, stamp})),
    };
    const worker = new Worker(workerPath, {workerData: start, ...(resourceLimits && {resourceLimits})});
    const connection = connect<EngineRequests>(workerPort(worker));
    const running: Running = {worker, connection, opening: new Map(), asked: new Map()};
    this.#running = running;
    worker.on('error', error => {
      this.#lose(running, error);
    });
    worker.on('exit', () => {
      this.#lose(running, null);
    });
    return running;
  }

  #lose(running: Running, error: (Error & {code?: string}) | null): void {
    if (this.#running !== running) return;
    this.#running = null;
    const guilty = new Set(running.asked.values());
    for (const id of guilty) {
      const known = this.#profiles.get(id);
      if (known) known.deaths++;
    }
    const paths = [...running.opening.values(), ...[...guilty].map(id => this.#profiles.get(id)?.path ?? '')];
    const reason = reasonOf(error, paths[0] ?? '');
    running.connection.close(reason);
    this.options.onLost(reason, error);
  }

  #remember(path: string, {id, stamp}: {id: ProfileId; stamp: string}): void {
    this.#profiles.set(id, {id, path, stamp, deaths: 0});
  }

  #wasAnswered(id: ProfileId): void {
    const known = this.#profiles.get(id);
    if (known) known.deaths = 0;
  }

  #refuseDeadly(id: ProfileId): void {
    const known = this.#profiles.get(id);
    if (!known || known.deaths < mostDeaths) return;
    throw new TraceError(
      'engine/out-of-memory',
      `The engine has stopped twice while it read ${basename(known.path)}: close other profiles and open it again.`,
    );
  }
}

function reasonOf(error: (Error & {code?: string}) | null, path: string): string {
  const doing = path === '' ? '' : ` while reading ${basename(path)}`;
  if (error?.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    return `GPU Lens ran out of memory${doing}: close other profiles, or lower gpuLens.memoryLimitMB so that fewer are held at a time.`;
  }
  return `The engine has stopped${doing}${error ? `: ${error.message}` : '.'}`;
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
