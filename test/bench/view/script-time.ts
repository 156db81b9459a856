/** What some frames took. */
export interface FrameTimes {
  /** Script of each frame of each round. */
  readonly scriptMs: readonly number[];
  /** The least of all rounds, for each frame: what other programs take of the machine is not the view's. */
  readonly leastMs: readonly number[];
  /** From one frame to the next. */
  readonly intervalMs: readonly number[];
}

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
   * Runs the same frames in several rounds: other programs take a part of the machine from one round or the other.
   *
   * @param step what the user does in a frame
   * @param look what is looked at after each frame
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
