import {forkProgram, type ForkedProgram} from '../importers/watched/fork-program.js';
import {endSignal, outOfMemorySignal} from '../importers/watched/signals.js';
import type {EngineRequests, EngineStart} from '../protocol/engine-messages.js';
import {connect, type Ask, type Connection} from '../protocol/rpc.js';
import {processPort} from './process-port.js';

/** Why a process has ended by itself: `killed` by the system or a person, `silent` since it gave no sign of life. */
type LossReason = 'out-of-memory' | 'killed' | 'silent' | 'stopped';

/** What is known of a process that has ended by itself. */
export interface Loss {
  readonly reason: LossReason;
  /** What it said last, for the log. */
  readonly said: string;
}

/** How long, in ms, a process may give no sign of life before it is ended. */
export interface SilenceLimits {
  /** While something is asked. Sorting and attributing the largest profiles take a few seconds without one. */
  readonly askedMs: number;
  /** After somebody has cancelled an opening. */
  readonly cancelledMs: number;
}

export interface EngineProcessOptions {
  readonly programPath: string;
  readonly start: EngineStart;
  readonly silence: SilenceLimits;
  /** What its JavaScript objects may take; Node's own limit where absent. */
  readonly heapLimitMB?: number | undefined;
  readonly onLost: (loss: Loss) => void;
}

/** While something is asked, a sign of life is asked for so often within the limit. */
const looksWithinLimit = 24;
/** What V8 says last where the heap is full. */
const heapIsFull = /heap out of memory|heap limit/i;

/** One process of the engine, from its start to its end: it is ended where it hangs. */
export class EngineProcess {
  readonly #program: ForkedProgram;
  readonly #connection: Connection<EngineRequests>;
  readonly #silence: SilenceLimits;
  #unanswered = 0;
  /** Any message counts. */
  #wasHeard = false;
  #looksInVain = 0;
  #isSilent = false;
  #looking: NodeJS.Timeout | undefined;
  #afterCancel: NodeJS.Timeout | undefined;

  constructor({programPath, start, silence, heapLimitMB, onLost}: EngineProcessOptions) {
    this.#silence = silence;
    this.#program = forkProgram(programPath, heapLimitMB);
    const {child, said} = this.#program;
    child.on('message', () => {
      this.#wasHeard = true;
    });
    this.#connection = connect<EngineRequests>(processPort(child));
    child.send(start, () => undefined);
    let hasEnded = false;
    const end = (reason: LossReason) => {
      if (hasEnded) return;
      hasEnded = true;
      this.#stopLooking();
      onLost({reason, said: said()});
    };
    child.on('error', () => {
      end('stopped');
    });
    // Once it has closed, all that it said has come.
    child.on('close', (_, signal) => {
      end(this.#isSilent ? 'silent' : reasonOf(signal, said()));
    });
  }

  readonly ask: Ask<EngineRequests> = async (method, params, options) => {
    this.#unanswered++;
    this.#look();
    try {
      return await this.#connection.ask(method, params, options);
    } finally {
      if (--this.#unanswered === 0) clearInterval(this.#looking);
    }
  };

  /** What was asked has no answer any more: a process that is soon not free for the next question is ended. */
  wasCancelled(): void {
    clearTimeout(this.#afterCancel);
    this.#wasHeard = false;
    this.#askForLife();
    this.#afterCancel = setTimeout(() => {
      if (!this.#wasHeard) this.#endSilent();
    }, this.#silence.cancelledMs).unref();
  }

  /** Rejects what is waiting. */
  close(reason: string): void {
    this.#connection.close(reason);
  }

  /** Ends the process, whatever it is at. */
  end(): void {
    this.#stopLooking();
    this.#program.child.kill(endSignal);
  }

  #look(): void {
    if (this.#unanswered > 1) return;
    this.#looksInVain = 0;
    this.#wasHeard = true;
    this.#looking = setInterval(() => {
      this.#looksInVain = this.#wasHeard ? 0 : this.#looksInVain + 1;
      this.#wasHeard = false;
      // Looks are counted, not time: a machine that slept has not waited.
      if (this.#looksInVain >= looksWithinLimit) this.#endSilent();
      else if (this.#looksInVain <= 1) this.#askForLife();
    }, this.#silence.askedMs / looksWithinLimit).unref();
  }

  #askForLife(): void {
    // One that ends meanwhile is lost by its own event.
    this.#connection.ask('engine/alive', {}).catch(() => undefined);
  }

  #endSilent(): void {
    this.#isSilent = true;
    this.end();
  }

  #stopLooking(): void {
    clearInterval(this.#looking);
    clearTimeout(this.#afterCancel);
  }
}

function reasonOf(signal: NodeJS.Signals | null, said: string): LossReason {
  if (signal === outOfMemorySignal || heapIsFull.test(said)) return 'out-of-memory';
  return signal === 'SIGKILL' ? 'killed' : 'stopped';
}
