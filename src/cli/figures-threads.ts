import {availableParallelism} from 'node:os';
import {Worker} from 'node:worker_threads';
import {describeError, TraceError} from '../core/base/errors.js';
import type {ProfileFigures} from '../core/summary/profile-figures.js';
import {threadProgram} from '../importers/reading/thread-program.js';
import type {FiguresMessage, FiguresOrder, FiguresStart} from './figures-worker.js';

/** More threads would need more memory at once, and wait for the disk. */
const mostThreads = 8;

/** Threads that read small profiles, each one profile at a time. They are started as they are needed. */
export class FiguresThreads {
  /** The command line itself: a program of its own would hold every importer once more. */
  readonly #program = threadProgram('cli');
  readonly #most = Math.min(mostThreads, availableParallelism());
  readonly #threads: Worker[] = [];
  readonly #idle: Worker[] = [];
  readonly #waiting: FiguresOrder[] = [];
  readonly #asked = new Map<number, PromiseWithResolvers<ProfileFigures>>();
  readonly #readBy = new Map<Worker, number>();
  #number = 0;
  #hasEnded = false;

  constructor(private readonly start: FiguresStart) {}

  /** Whether there are threads: not in unbundled code, and not where one core is all there is. */
  get isUseful(): boolean {
    return this.#program !== null && this.#most > 1;
  }

  /** Returns the figures of a profile. @throws TraceError as `openTrace`; `import/cancelled` if the threads have ended */
  read(path: string): Promise<ProfileFigures> {
    // A thread that has ended never answers.
    if (this.#hasEnded) return Promise.reject(cancelled());
    const order = {number: this.#number++, path};
    const asked = Promise.withResolvers<ProfileFigures>();
    this.#asked.set(order.number, asked);
    this.#waiting.push(order);
    this.#next();
    return asked.promise;
  }

  /** Ends the threads; what was asked for is rejected. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    this.#waiting.length = 0;
    for (const {reject} of this.#asked.values()) reject(cancelled());
    this.#asked.clear();
    await Promise.all(this.#threads.map(thread => thread.terminate()));
  }

  #next(): void {
    const thread = this.#idle.pop() ?? this.#started();
    if (!thread) return;
    const order = this.#waiting.shift();
    if (!order) {
      this.#idle.push(thread);
      return;
    }
    this.#readBy.set(thread, order.number);
    thread.postMessage(order);
  }

  #started(): Worker | null {
    if (this.#program === null || this.#threads.length >= this.#most || this.#waiting.length === 0) return null;
    const thread = new Worker(this.#program, {workerData: this.start});
    this.#threads.push(thread);
    thread.on('message', (message: FiguresMessage) => {
      this.#answered(thread, message);
    });
    thread.on('error', error => {
      this.#lost(thread, describeError(error, 'internal'));
    });
    thread.on('exit', () => {
      this.#lost(thread, describeError(new Error('A thread ended.'), 'internal'));
    });
    return thread;
  }

  /** As when memory runs out: the profile cannot be read, and another thread takes the next. */
  #lost(thread: Worker, why: ReturnType<typeof describeError>): void {
    const at = this.#threads.indexOf(thread);
    if (at < 0 || this.#hasEnded) return;
    this.#threads.splice(at, 1);
    this.#answered(null, {number: this.#readBy.get(thread) ?? -1, ...why});
  }

  #answered(thread: Worker | null, message: FiguresMessage): void {
    const asked = this.#asked.get(message.number);
    this.#asked.delete(message.number);
    if ('figures' in message) asked?.resolve(message.figures);
    else asked?.reject(new TraceError(message.code, message.message));
    if (thread) this.#idle.push(thread);
    this.#next();
  }
}

function cancelled(): TraceError {
  return new TraceError('import/cancelled', 'Reading was cancelled.');
}
