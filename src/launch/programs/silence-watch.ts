/** The longest time between two looks. */
const longestPauseMs = 1000;

/** Aborts a signal once the watched program has shown no sign of life for the limit. */
export class SilenceWatch {
  readonly #limitMs: number;
  readonly #pauseMs: number;
  readonly #sign: () => Promise<string | null>;
  readonly #silence = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #last: string | null = null;
  #silentMs = 0;
  #isStopped = false;

  /**
   * @param limitMs 0 disables the watch
   * @param sign returns a text that changes with everything the program does; null while it may wait, however long
   */
  constructor(limitMs: number, sign: () => Promise<string | null>) {
    this.#limitMs = limitMs;
    this.#pauseMs = Math.min(longestPauseMs, limitMs / 4);
    this.#sign = sign;
    if (limitMs > 0) this.#lookAgain();
  }

  get signal(): AbortSignal {
    return this.#silence.signal;
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #lookAgain(): void {
    this.#timer = setTimeout(() => void this.#look(), this.#pauseMs);
  }

  async #look(): Promise<void> {
    const sign = await this.#sign().catch(() => null);
    if (this.#isStopped) return;
    // Pauses are counted instead of time, so that time in which the machine slept does not count.
    this.#silentMs = sign === null || sign !== this.#last ? 0 : this.#silentMs + this.#pauseMs;
    this.#last = sign;
    if (this.#silentMs >= this.#limitMs) this.#silence.abort();
    else this.#lookAgain();
  }
}
