/**
 * Passes on each item in its own turn of the event loop, so that its producer can begin the next one before it is
 * taken. Keeps the order, and holds one item at most: a waiting item is passed on before another is held. `take` must
 * not call `put`.
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

  /** Passes on the waiting item, if any. */
  takeNow(): void {
    const waiting = this.#waiting;
    this.cancel();
    if (waiting) this.take(waiting.item);
  }

  /** Drops the waiting item. */
  cancel(): void {
    clearImmediate(this.#turn);
    this.#waiting = null;
  }
}
