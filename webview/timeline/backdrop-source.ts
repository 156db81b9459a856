import {fitAll} from '../../src/core/base/time-window.js';
import type {TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {Host} from '../shared/host.js';
import {holds, isSameTold, question, sightOf, type Answer, type Told} from './slice-source.js';

/** Sharp enough to be drawn for a moment; of many rows the engine tells less. */
const widthPx = 1200;
/** Profiles whose backdrop is kept: one has 200 KB at most. */
const mostKept = 8;

interface Backdrop extends Answer {
  readonly told: Told;
}

/**
 * A whole profile with all its rows, told once: it is drawn, stretched, where the answer about what is in sight is still
 * on its way. Profiles that were shown before have theirs at once.
 */
export class BackdropSource {
  #key = -1;
  readonly #known = new Map<number, Backdrop>();
  #isAsking = false;
  /** What is wanted while another question is on its way. */
  #next: (() => void) | null = null;
  /** What was wanted last and is known: every frame wants it, and to look through all rows takes a while. */
  #settled: {readonly rows: TimelineRows; readonly told: Told} | null = null;
  /** What could not be told is not asked for again, until its profile is shown anew. */
  #failed: {readonly told: Told; readonly heightPx: number} | null = null;

  constructor(
    private readonly host: Host,
    private readonly onAnswer: (answer: Answer) => void,
  ) {}

  /** Begins with another profile, and returns what is known of it. */
  reset(key: number): Answer | null {
    this.#key = key;
    this.#failed = null;
    this.#settled = null;
    this.#next = null;
    return this.#known.get(key) ?? null;
  }

  /** Makes sure that there is a backdrop for these rows, or one on its way. */
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
      // No frame may come by itself when the answer is there.
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
