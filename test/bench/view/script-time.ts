/** Counts how long the scripts of the page run: callbacks of frames and events, and each message by itself. */
export class ScriptTime {
  /** Since `take`. */
  #ms = 0;
  /** What each message took. */
  readonly messageMs: number[] = [];
  readonly plainFrame = window.requestAnimationFrame.bind(window);
  /** When the last frame's callbacks began. */
  frameAtMs = 0;

  constructor() {
    window.requestAnimationFrame = callback =>
      this.plainFrame(atMs => {
        this.frameAtMs = performance.now();
        this.run(() => {
          callback(atMs);
        });
      });
  }

  run(script: () => void): void {
    const beginMs = performance.now();
    script();
    this.#ms += performance.now() - beginMs;
  }

  /** The same for a script that goes on in promises: those that are settled when it ends count, too. */
  async runAll(script: () => void): Promise<void> {
    const beginMs = performance.now();
    script();
    for (let hop = 0; hop < 12; hop++) await Promise.resolve();
    this.messageMs.push(performance.now() - beginMs);
  }

  /** How long they have run since the last time, ms. */
  take(): number {
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }

  /**
   * Runs the same frames several times, and returns the least that each took: what other programs take of the machine is
   * not the view's. The first round asks the engine, and is not counted.
   *
   * @param step what the user does in a frame
   * @param look what is looked at after each frame of the first round, with the time since the one before
   */
  async leastOf(
    rounds: number,
    frames: number,
    step: (frame: number) => void,
    look: (intervalMs: number) => void,
  ): Promise<number[]> {
    const least = Array.from({length: frames}, () => Infinity);
    for (let round = 0; round <= rounds; round++) {
      let lastMs = await this.nextFrame();
      this.take();
      for (let frame = 0; frame < frames; frame++) {
        this.run(() => step(frame));
        const atMs = await this.nextFrame();
        const ms = this.take();
        if (round > 0) least[frame] = Math.min(least[frame] ?? ms, ms);
        else look(atMs - lastMs);
        lastMs = atMs;
      }
    }
    return least;
  }

  /** Waits for the next frame; returns when it began. */
  nextFrame(): Promise<number> {
    return new Promise(resolve => this.plainFrame(resolve));
  }
}
