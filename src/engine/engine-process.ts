import {forkProgram, type ForkedProgram} from '../importers/watched/fork-program.js';
import {endSignal, outOfMemorySignal} from '../importers/watched/signals.js';
import type {EngineRequests, EngineStart} from '../protocol/engine-messages.js';
import {connect, type Ask, type Connection} from '../protocol/rpc.js';
import {processPort} from './process-port.js';

/** Why a process has ended by itself: `killed` by the system or a user, `silent` because it gave no sign of life. */
type LossReason = 'out-of-memory' | 'killed' | 'silent' | 'stopped';

/** Facts about a process that has ended by itself. */
export interface Loss {
  readonly reason: LossReason;
  /** The process's last output, for the log. */
  readonly said: string;
}

/** How long a process may give no sign of life before it is ended, in ms. */
export interface SilenceLimits {
  /**
   * While a request is pending. Sorting and attributing the largest profiles take a few seconds without a sign of life.
   */
  readonly askedMs: number;
  /** After a user has cancelled an opening. */
  readonly cancelledMs: number;
}

export interface EngineProcessOptions {
  readonly programPath: string;
  readonly start: EngineStart;
  readonly silence: SilenceLimits;
  /** The limit of its JavaScript heap; Node's default if absent. */
  readonly heapLimitMB?: number | undefined;
  readonly onLost: (loss: Loss) => void;
}

/** While a request is pending, the process is pinged this many times within the limit. */
const looksWithinLimit = 24;
/** V8's last output if the heap is full. */
const heapIsFull = /heap out of memory|heap limit/i;

/** One process of the engine, from its start to its end. It is ended if it hangs. */
export class EngineProcess {
  readonly #program: ForkedProgram;
  readonly #connection: Connection<EngineRequests>;
  readonly #silence: SilenceLimits;
  #unanswered = 0;
  /** Any message counts as a sign of life. */
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
    // After "close", all of its output has arrived.
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

  /** Nobody waits for the pending request any more: if the process is not free soon, it is ended. */
  wasCancelled(): void {
    clearTimeout(this.#afterCancel);
    this.#wasHeard = false;
    this.#askForLife();
    this.#afterCancel = setTimeout(() => {
      if (!this.#wasHeard) this.#endSilent();
    }, this.#silence.cancelledMs).unref();
  }

  /** Rejects all pending requests. */
  close(reason: string): void {
    this.#connection.close(reason);
  }

  /** Ends the process, even if it is busy. */
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
      // Checks are counted instead of time, so that time in which the machine slept does not count.
      if (this.#looksInVain >= looksWithinLimit) this.#endSilent();
      else if (this.#looksInVain <= 1) this.#askForLife();
    }, this.#silence.askedMs / looksWithinLimit).unref();
  }

  #askForLife(): void {
    // If it ends meanwhile, its own event handles that.
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
