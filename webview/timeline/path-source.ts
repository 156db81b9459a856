import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {PathPicture} from '../../src/core/what-if/recorded/path-at.js';
import type {Host} from '../shared/host.js';
import {stepAt} from './step-places.js';

/** Receives the critical path. */
export interface PathListener {
  /** Another path is shown, or none. @param isOn whether it is switched on; also while the path is computed */
  changed(path: PathPicture | null, isOn: boolean): void;
  failed(error: unknown): void;
}

/** A window that shows more than this many steps is not about a single step. */
const mostSteps = 2;

/**
 * Provides the critical path while it is switched on: of the step in the middle of the window, else of the usual step.
 */
export class PathSource {
  #key = -1;
  #isOn = false;
  #isAsking = false;
  /** The start of the requested step, null for the usual one; undefined for none. */
  #asked: number | null | undefined;
  #wanted: number | null | undefined;

  constructor(
    private readonly host: Host,
    private readonly listener: PathListener,
  ) {}

  /** Begins with another profile: the path stays switched on. */
  reset(key: number): void {
    this.#key = key;
    this.#forget();
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#forget();
  }

  /** Requests the path of the visible step if it is switched on and not the current one. */
  want(window: TimeWindow, steps: readonly Step[]): void {
    if (!this.#isOn) return;
    this.#wanted = this.#stepIn(window, steps);
    if (this.#wanted !== this.#asked && !this.#isAsking) void this.#ask();
  }

  #forget(): void {
    this.#asked = undefined;
    this.#wanted = undefined;
    this.listener.changed(null, this.#isOn);
  }

  /** When zoomed out, the current path stays. */
  #stepIn({fromNs, toNs}: TimeWindow, steps: readonly Step[]): number | null {
    const step = stepAt(steps, (fromNs + toNs) / 2);
    const isNear = step !== undefined && toNs - fromNs <= mostSteps * (step.endNs - step.startNs);
    return isNear ? step.startNs : (this.#asked ?? null);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    // One request at a time, always for the current window.
    while (this.#wanted !== undefined && this.#wanted !== this.#asked) {
      const [key, atNs] = [this.#key, this.#wanted];
      this.#asked = atNs;
      const isWanted = () => key === this.#key && atNs === this.#asked;
      try {
        const path = await this.host.ask('timeline/path', {key, atNs});
        if (isWanted()) this.listener.changed(path, true);
      } catch (error) {
        if (!isWanted()) continue;
        this.#isOn = false;
        this.#forget();
        this.listener.failed(error);
      }
    }
    this.#isAsking = false;
  }
}
