import {fitAll} from '../../src/core/base/time-window.js';
import type {TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {Host} from '../shared/host.js';
import {holds, isSameTold, question, sightOf, type Answer, type Told} from './slice-source.js';

/** Sharp enough for a moment; with many rows the engine returns fewer details. */
const widthPx = 1200;
/** Number of profiles whose backdrop is kept: each takes at most 200 KB. */
const mostKept = 8;

interface Backdrop extends Answer {
  readonly told: Told;
}

/**
 * Provides a picture of the whole profile with all its rows. It is drawn, stretched, until the answer for the visible
 * window arrives. The backdrops of recent profiles are available at once.
 */
export class BackdropSource {
  #key = -1;
  readonly #known = new Map<number, Backdrop>();
  #isAsking = false;
  /** What is wanted while another request is pending. */
  #next: (() => void) | null = null;
  /** The latest wanted backdrop that is available: every frame asks for it, and comparing all rows takes a while. */
  #settled: {readonly rows: TimelineRows; readonly told: Told} | null = null;
  /** A failed request is not repeated until its profile is shown again. */
  #failed: {readonly told: Told; readonly heightPx: number} | null = null;

  constructor(
    private readonly host: Host,
    private readonly onAnswer: (answer: Answer) => void,
  ) {}

  /** Begins with another profile, and returns its backdrop if it is available. */
  reset(key: number): Answer | null {
    this.#key = key;
    this.#failed = null;
    this.#settled = null;
    this.#next = null;
    return this.#known.get(key) ?? null;
  }

  /** Ensures that there is a backdrop for these rows, or a pending request. */
  want(rows: TimelineRows, spanNs: number, told: Told): void {
    if (this.#settled?.rows === rows && isSameTold(this.#settled.told, told)) return;
    const key = this.#key;
    const known = this.#known.get(key);
    const sight = sightOf(rows, 0, rows.heightPx);
    const {heightPx} = rows;
    const hasFailed = this.#failed?.heightPx === heightPx && isSameTold(this.#failed.told, told);
    const isKnown = known !== undefined && isSameTold(known.told, told) && holds(known.sight, sight);
    this.#next = null;
    this.#settled = hasFailed || isKnown ? {rows, told} : null;
    if (this.#settled) return;
    if (this.#isAsking) {
      // There may be no further frame after the answer.
      this.#next = () => this.want(rows, spanNs, told);
      return;
    }
    this.#isAsking = true;
    this.host
      .ask('timeline/visible', {key, window: question({...fitAll(spanNs), widthPx}, sight, told)})
      .then(
        timeline => this.#keep(key, {timeline, widthPx, sight, told}),
        () => {
          if (key === this.#key) this.#failed = {told, heightPx};
        },
      )
      .finally(() => {
        this.#isAsking = false;
        this.#next?.();
      });
  }

  #keep(key: number, backdrop: Backdrop): void {
    this.#known.delete(key);
    this.#known.set(key, backdrop);
    for (const oldest of this.#known.keys()) if (this.#known.size > mostKept) this.#known.delete(oldest);
    if (key === this.#key) this.onAnswer(backdrop);
  }
}
