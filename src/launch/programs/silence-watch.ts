/** The longest time between two checks. */
const longestPollMs = 1000;

/** Aborts a signal once the watched program has shown no sign of life for the limit. */
export class SilenceWatch {
  readonly #limitMs: number;
  readonly #sign: () => Promise<string | null>;
  readonly #silence = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  #last: string | null = null;
  #sinceMs = performance.now();
  #isStopped = false;

  /**
   * @param limitMs 0 disables the watch
   * @param sign returns a text that changes with everything the program does; null while it may wait, however long
   */
  constructor(limitMs: number, sign: () => Promise<string | null>) {
    this.#limitMs = limitMs;
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
    this.#timer = setTimeout(() => void this.#look(), Math.min(longestPollMs, this.#limitMs / 4));
  }

  async #look(): Promise<void> {
    const sign = await this.#sign().catch(() => null);
    if (this.#isStopped) return;
    const nowMs = performance.now();
    if (sign === null || sign !== this.#last) this.#sinceMs = nowMs;
    this.#last = sign;
    if (nowMs - this.#sinceMs >= this.#limitMs) this.#silence.abort();
    else this.#lookAgain();
  }
}
