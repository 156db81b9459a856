import {basename} from 'node:path';
import {remoteError, TraceError} from '../core/base/errors.js';
import {say, template} from '../core/base/say.js';
import type {
  EngineRequests,
  EngineSettings,
  EngineStart,
  KeptProfile,
  OpenProgress,
  ProfileId,
  ProfileSummary,
} from '../protocol/engine-messages.js';
import type {Ask, CallOptions} from '../protocol/rpc.js';
import {EngineProcess, type Loss, type SilenceLimits} from './engine-process.js';

/** If the process dies this often in a row at questions about a profile, the profile is not tried again. */
const mostDeaths = 2;
const usualSilence: SilenceLimits = {askedMs: 120_000, cancelledMs: 10_000};

export interface EngineClientOptions {
  /** The bundle of the process. */
  readonly programPath: string;
  /** Read whenever the process is started. */
  readonly settings: () => EngineSettings;
  /** The translations of the engine's texts; none in English. */
  readonly words?: EngineStart['words'];
  /**
   * Called when the process has ended by itself, with one sentence and the process's last output, if any. Pending
   * requests have failed with the same sentence.
   */
  readonly onLost: (reason: string, error: Error | null) => void;
  /** Given in tests. */
  readonly heapLimitMB?: number;
  readonly silence?: SilenceLimits;
}

/** A profile that the process has open, or reads again when needed. */
interface Known extends KeptProfile {
  deaths: number;
}

interface Running {
  readonly process: EngineProcess;
  /** Paths of profiles that are being opened. */
  readonly opening: Map<number, string>;
  /** Profiles that are being asked about. */
  readonly asked: Map<number, ProfileId>;
}

/**
 * The host's side of the engine: starts the process with the first question, and again after it died.
 *
 * Open profiles outlive their process: the next process gets the list, and reads each profile again when it is needed.
 */
export class EngineClient {
  #running: Running | null = null;
  readonly #profiles = new Map<ProfileId, Known>();
  #nextCall = 0;

  constructor(private readonly options: EngineClientOptions) {}

  readonly ask: Ask<EngineRequests> = async (method, params, options) => {
    if (method === 'profile/close' && 'profile' in params) {
      this.#profiles.delete(params.profile);
      // A process that does not run has nothing open.
      if (!this.#running) return undefined;
    }
    const {opening, asked, process} = this.#start();
    const call = this.#nextCall++;
    const profile = 'profile' in params ? params.profile : null;
    if (profile !== null) this.#refuseDeadly(profile);
    if ('path' in params) opening.set(call, params.path);
    if (profile !== null) asked.set(call, profile);
    try {
      const result = await process.ask(method, params, options);
      if ('path' in params) this.#remember(params.path, result as EngineRequests['profile/open']['result']);
      if (profile !== null) this.#wasAnswered(profile);
      return result;
    } finally {
      opening.delete(call);
      asked.delete(call);
    }
  };

  /** Sends changed settings to a running process. A process that starts later reads them itself. */
  async configure(): Promise<void> {
    // If it dies meanwhile, the next process reads the settings when it starts.
    await this.#running?.process.ask('engine/configure', this.options.settings()).catch(() => undefined);
  }

  /**
   * Opens a profile. A cancel takes effect at once, even if the engine is busy. If the engine opens the profile anyway,
   * it is closed again, and an engine that is soon not free is ended.
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
      if (signal.aborted) {
        opening.then(({id}) => this.ask('profile/close', {profile: id})).catch(() => undefined);
        this.#running?.process.wasCancelled();
      }
      throw error;
    }
  }

  dispose(): void {
    const running = this.#running;
    this.#running = null;
    running?.process.close(say('GPU Lens was closed.'));
    running?.process.end();
  }

  #start(): Running {
    if (this.#running) return this.#running;
    const {programPath, settings, words, heapLimitMB, silence = usualSilence} = this.options;
    const profiles = [...this.#profiles.values()].map(({id, path, stamp}) => ({id, path, stamp}));
    const running: Running = {
      process: new EngineProcess({
        ...{programPath, silence, heapLimitMB},
        start: {settings: settings(), profiles, words},
        onLost: loss => {
          this.#lose(running, loss);
        },
      }),
      opening: new Map(),
      asked: new Map(),
    };
    this.#running = running;
    return running;
  }

  #lose(running: Running, loss: Loss): void {
    if (this.#running !== running) return;
    this.#running = null;
    const guilty = new Set(running.asked.values());
    for (const id of guilty) {
      const known = this.#profiles.get(id);
      if (known) known.deaths++;
    }
    const paths = [...running.opening.values(), ...[...guilty].map(id => this.#profiles.get(id)?.path ?? '')];
    const reason = sentenceOf(loss, paths[0] ?? '');
    running.process.close(reason);
    this.options.onLost(reason, loss.said === '' ? null : remoteError(reason, loss.said));
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
      say('The engine stopped twice while reading {0}. Close other profiles and open it again.', basename(known.path)),
    );
  }
}

/** What happened, in general and while a file was read. */
const sentences: Readonly<Record<Loss['reason'], readonly [general: string, reading: string]>> = {
  'out-of-memory': [
    template(
      'GPU Lens ran out of memory. Close other profiles, or lower gpuLens.memoryLimitMB to hold fewer at a time.',
    ),
    template(
      'GPU Lens ran out of memory while reading {0}. Close other profiles, or lower gpuLens.memoryLimitMB to hold fewer at a time.',
    ),
  ],
  killed: [
    template(
      'The engine was killed, probably because the machine ran out of memory. Close other programs and try again.',
    ),
    template(
      'The engine was killed while reading {0}, probably because the machine ran out of memory. Close other programs and try again.',
    ),
  ],
  silent: [
    template('The engine stopped responding and was ended. It restarts with your next action.'),
    template('The engine stopped responding while reading {0} and was ended. It restarts with your next action.'),
  ],
  stopped: [
    template('The engine stopped. It restarts with your next action.'),
    template('The engine stopped while reading {0}. It restarts with your next action.'),
  ],
};

/** Describes what happened: the next question starts another process, which reopens the profiles. */
function sentenceOf({reason}: Loss, path: string): string {
  const [general, reading] = sentences[reason];
  return path === '' ? say(general) : say(reading, basename(path));
}

/** Rejects once the signal is aborted. */
function cancelled(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const stop = () => {
      reject(new TraceError('import/cancelled', say('Opening was cancelled.')));
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, {once: true});
  });
}
