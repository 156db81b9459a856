/** Does something once nothing has changed for a while, such as when the user stops typing. */
export class RestTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param restMs how long nothing must change */
  constructor(private readonly restMs: number) {}

  /** Calls `act` after the pause, unless this is called again or the timer is disposed before. */
  whenStill(act: () => unknown): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(act, this.restMs);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
