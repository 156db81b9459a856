/** The times of some frames. */
export interface FrameTimes {
  /** Script time of each frame in each round. */
  readonly scriptMs: readonly number[];
  /** The minimum of all rounds for each frame, to exclude the effect of other programs. */
  readonly leastMs: readonly number[];
  /** From one frame to the next. */
  readonly intervalMs: readonly number[];
}

/** Measures how long the page's scripts run: callbacks of frames and events, and each message separately. */
export class ScriptTime {
  /** Since `take`. */
  #ms = 0;
  /** The time of each message. */
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

  /** The same for a script that continues in promises: those that are settled when it ends count, too. */
  async runAll(script: () => void): Promise<void> {
    const beginMs = performance.now();
    script();
    for (let hop = 0; hop < 12; hop++) await Promise.resolve();
    this.messageMs.push(performance.now() - beginMs);
  }

  /** Returns how long the scripts have run since the last call, ms. */
  take(): number {
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }

  /**
   * Runs the same frames in several rounds, because other programs slow down one round or another.
   *
   * @param step the user's action in a frame
   * @param look is called after each frame
   */
  async framesOf(
    rounds: number,
    frames: number,
    step: (frame: number) => void,
    look: () => void = () => undefined,
  ): Promise<FrameTimes> {
    const scriptMs: number[] = [];
    const leastMs = Array.from({length: frames}, () => Infinity);
    const intervalMs: number[] = [];
    for (let round = 0; round < rounds; round++) {
      let lastMs = await this.nextFrame();
      this.take();
      for (let frame = 0; frame < frames; frame++) {
        this.run(() => step(frame));
        const atMs = await this.nextFrame();
        const ms = this.take();
        scriptMs.push(ms);
        leastMs[frame] = Math.min(leastMs[frame] ?? ms, ms);
        intervalMs.push(atMs - lastMs);
        lastMs = atMs;
        look();
      }
    }
    return {scriptMs, leastMs, intervalMs};
  }

  /** Waits for the next frame; returns when it began. */
  nextFrame(): Promise<number> {
    return new Promise(resolve => this.plainFrame(resolve));
  }
}
