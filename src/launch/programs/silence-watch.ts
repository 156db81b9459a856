/** The longest time between two checks. */
const longestPollMs = 1000;

/** Aborts a signal once the watched program has shown no sign of life for the limit. */
export class SilenceWatch {
  readonly #pollMs: number;
  readonly #mostUnchanged: number;
  readonly #sign: () => Promise<string | null>;
  readonly #silence = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #last: string | null = null;
  #unchanged = 0;
  #isStopped = false;

  /**
   * @param limitMs measured while the computer is awake; rounded up to whole checks; 0 disables the watch
   * @param sign returns a text that changes with everything the program does; null while it may wait, however long
   */
  constructor(limitMs: number, sign: () => Promise<string | null>) {
    this.#pollMs = Math.min(longestPollMs, limitMs / 4);
    this.#mostUnchanged = Math.ceil(limitMs / this.#pollMs);
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
    this.#timer = setTimeout(() => void this.#look(), this.#pollMs);
  }

  async #look(): Promise<void> {
    const sign = await this.#sign().catch(() => null);
    if (this.#isStopped) return;
    // Checks are counted instead of time, so that time in which the machine slept does not count.
    this.#unchanged = sign === null || sign !== this.#last ? 0 : this.#unchanged + 1;
    this.#last = sign;
    if (this.#unchanged >= this.#mostUnchanged) this.#silence.abort();
    else this.#lookAgain();
  }
}
