import type {TimeWindow} from '../../src/core/layout/time-window.js';
import type {VisibleSlices} from '../../src/core/layout/visible-slices.js';
import type {Host} from '../shared/host.js';

/** An answer covers this much more than the window, in windows, on each side: panning a little needs no question. */
const margin = 0.5;
/** Zooming further than this needs sharper slices. */
const sharpEnough = 1.05;

export interface Answer {
  readonly slices: VisibleSlices;
  readonly widthPx: number;
  readonly tracks: readonly number[];
}

/** Asks the engine for what is in sight: one question at a time, and always about the latest window. */
export class SliceSource {
  #key = -1;
  #answer: Answer | null = null;
  #isAsking = false;
  #wanted: {window: TimeWindow; widthPx: number; tracks: readonly number[]} | null = null;

  constructor(
    private readonly host: Host,
    private readonly onAnswer: (answer: Answer) => void,
    private readonly onError: (error: unknown) => void,
  ) {}

  /** Begins with another profile. */
  reset(key: number): void {
    this.#key = key;
    this.#answer = null;
    this.#wanted = null;
  }

  /** Makes sure that what is in sight is there, or on its way. */
  want(window: TimeWindow, widthPx: number, tracks: readonly number[]): void {
    if (widthPx <= 0 || this.#suffices(window, widthPx, tracks)) return;
    this.#wanted = {window, widthPx, tracks};
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#wanted) {
        const {window, widthPx, tracks} = this.#wanted;
        this.#wanted = null;
        const key = this.#key;
        const marginNs = (window.toNs - window.fromNs) * margin;
        const wide = {
          fromNs: window.fromNs - marginNs,
          toNs: window.toNs + marginNs,
          widthPx: Math.ceil(widthPx * (1 + 2 * margin)),
          tracks,
        };
        const slices = await this.host.ask('slices/visible', {key, window: wide});
        if (key !== this.#key) continue;
        this.#answer = {slices, widthPx: wide.widthPx, tracks};
        this.onAnswer(this.#answer);
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.#isAsking = false;
    }
  }

  #suffices(window: TimeWindow, widthPx: number, tracks: readonly number[]): boolean {
    if (!this.#answer) return false;
    const {slices, widthPx: answerPx, tracks: known} = this.#answer;
    if (window.fromNs < slices.fromNs || window.toNs > slices.toNs) return false;
    if (!tracks.every(track => known.includes(track))) return false;
    const nsPerPx = (window.toNs - window.fromNs) / widthPx;
    const answerNsPerPx = (slices.toNs - slices.fromNs) / answerPx;
    return nsPerPx * sharpEnough >= answerNsPerPx && answerNsPerPx * 2 >= nsPerPx;
  }
}
