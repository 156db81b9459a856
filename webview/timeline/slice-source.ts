import {lanesBetween, rowsBetween, type TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {SliceGrouping} from '../../src/core/layout/slice-groups.js';
import type {LaneRange} from '../../src/core/layout/visible-slices.js';
import type {TimelineWindow, VisibleTimeline} from '../../src/core/layout/visible-timeline.js';
import type {Host} from '../shared/host.js';

/**
 * An answer covers this much more than the window on each side, as a fraction of it, so that small pans need no
 * request.
 */
const margin = 0.35;
/** Zooming in further than this needs sharper slices. */
const sharpEnough = 1.05;

/** The engine's answer for a window. */
export interface Answer {
  readonly timeline: VisibleTimeline;
  /** The width of its window in pixels. */
  readonly widthPx: number;
  /** The rows that it covers. */
  readonly sight: Sight;
}

/** The visible lanes, instants and counters. */
export type Sight = Pick<TimelineWindow, 'lanes' | 'instants' | 'counters'>;

/** Returns the lanes, instants and counters between two heights. */
export function sightOf(rows: TimelineRows, fromPx: number, toPx: number): Sight {
  const lanes: LaneRange[] = [];
  const instants: number[] = [];
  const counters: number[] = [];
  for (const row of rowsBetween(rows, fromPx, toPx)) {
    if (row.kind === 'track') lanes.push({track: row.track.track, ...lanesBetween(row, fromPx, toPx)});
    if (row.kind === 'instants') instants.push(row.track.track);
    if (row.kind === 'counter') counters.push(row.counter.counter);
  }
  return {lanes, instants, counters};
}

/** Additional data of blocks. */
export interface Told {
  readonly groupBy: SliceGrouping | null;
  /** Names of the highlighted ranges; empty for no highlight. */
  readonly lit: readonly string[];
}

/** What to draw. */
export interface Wanted {
  readonly window: TimeWindow;
  readonly widthPx: number;
  readonly sight: Sight;
  /** The same with some rows above and below, so that small scrolls need no request. */
  readonly wide: Sight;
  readonly told: Told;
}

/** Requests the visible content from the engine: one request at a time, always for the latest window. */
export class SliceSource {
  #key = -1;
  #answer: Answer | null = null;
  #told: Told | null = null;
  #isAsking = false;
  #wanted: Wanted | null = null;
  /** A failed request is not repeated, although each frame wants it, until something else is wanted or shown. */
  #failed: Wanted | null = null;

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
    this.#failed = null;
  }

  /** Ensures that the visible content is available or requested. */
  want(wanted: Wanted): void {
    if (wanted.widthPx <= 0) return;
    if (this.#suffices(wanted)) {
      this.#failed = null;
      return;
    }
    if (this.#failed && isSameWant(this.#failed, wanted)) return;
    this.#wanted = wanted;
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#wanted) {
        const wanted = this.#wanted;
        this.#wanted = null;
        await this.#askFor(wanted);
      }
    } finally {
      this.#isAsking = false;
    }
  }

  async #askFor(wanted: Wanted): Promise<void> {
    const {window, widthPx, wide: sight, told} = wanted;
    const key = this.#key;
    const marginNs = (window.toNs - window.fromNs) * margin;
    const place = {
      fromNs: window.fromNs - marginNs,
      toNs: window.toNs + marginNs,
      widthPx: Math.ceil(widthPx * (1 + 2 * margin)),
    };
    try {
      const timeline = await this.host.ask('timeline/visible', {key, window: question(place, sight, told)});
      if (key !== this.#key) return;
      this.#answer = {timeline, widthPx: place.widthPx, sight};
      this.#told = told;
      this.#failed = null;
      this.onAnswer(this.#answer);
    } catch (error) {
      if (key !== this.#key) return;
      this.#failed = wanted;
      // Frames that were drawn meanwhile have wanted the same.
      if (this.#wanted && isSameWant(wanted, this.#wanted)) this.#wanted = null;
      this.onError(error);
    }
  }

  #suffices({window, widthPx, sight, told}: Wanted): boolean {
    if (!this.#answer || !isSameTold(this.#told, told)) return false;
    const {timeline, widthPx: answerPx, sight: known} = this.#answer;
    const {fromNs, toNs} = timeline.slices;
    if (window.fromNs < fromNs || window.toNs > toNs || !holds(known, sight)) return false;
    const nsPerPx = (window.toNs - window.fromNs) / widthPx;
    const answerNsPerPx = (toNs - fromNs) / answerPx;
    return nsPerPx * sharpEnough >= answerNsPerPx && answerNsPerPx * 2 >= nsPerPx;
  }
}

/** Returns the request for some rows of a window. */
export function question(place: TimeWindow & {widthPx: number}, sight: Sight, {groupBy, lit}: Told): TimelineWindow {
  return {...place, ...sight, ...(groupBy && {groupBy}), ...(lit.length > 0 && {lit})};
}

/**
 * Returns whether two are equal. Lists of names are compared by identity: they may be long, and every frame compares
 * them.
 */
export function isSameTold(a: Told | null, b: Told | null): boolean {
  return a?.groupBy === b?.groupBy && a?.lit === b?.lit;
}

/** Returns whether the request for `a` also covers `b`. */
function isSameWant(a: Wanted, b: Wanted): boolean {
  const {window, widthPx} = a;
  const isSameWindow = window.fromNs === b.window.fromNs && window.toNs === b.window.toNs && widthPx === b.widthPx;
  return isSameWindow && isSameTold(a.told, b.told) && holds(a.wide, b.sight);
}

/** Returns whether one sight contains everything in another. */
export function holds(known: Sight, sight: Sight): boolean {
  return (
    sight.instants.every(track => known.instants.includes(track)) &&
    sight.counters.every(counter => known.counters.includes(counter)) &&
    sight.lanes.every(({track, firstLane, endLane}) =>
      known.lanes.some(own => own.track === track && own.firstLane <= firstLane && own.endLane >= endLane),
    )
  );
}
