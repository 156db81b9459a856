/**
 * Hands over what comes in a turn of the event loop of its own, so that who made it can begin the next before it is
 * taken. Keeps the order, and holds one at most: what waits is taken before another is held. Whoever takes must not put.
 */
export class NextTurn<T> {
  #waiting: {readonly item: T} | null = null;
  #turn: NodeJS.Immediate | undefined;

  constructor(private readonly take: (item: T) => void) {}

  put(item: T): void {
    this.takeNow();
    this.#waiting = {item};
    this.#turn = setImmediate(() => {
      this.takeNow();
    });
  }

  /** Hands over what waits, if anything does. */
  takeNow(): void {
    const waiting = this.#waiting;
    this.cancel();
    if (waiting) this.take(waiting.item);
  }

  /** Forgets what waits: nothing is handed over any more. */
  cancel(): void {
    clearImmediate(this.#turn);
    this.#waiting = null;
  }
}
