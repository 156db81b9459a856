import {lanesBetween, rowsBetween, type TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {SliceGrouping} from '../../src/core/layout/slice-groups.js';
import type {LaneRange} from '../../src/core/layout/visible-slices.js';
import type {TimelineWindow, VisibleTimeline} from '../../src/core/layout/visible-timeline.js';
import type {Host} from '../shared/host.js';

/** An answer covers this much more than the window, in windows, on each side: panning a little needs no question. */
const margin = 0.35;
/** Zooming further than this needs sharper slices. */
const sharpEnough = 1.05;

/** What the engine has told of a window. */
export interface Answer {
  readonly timeline: VisibleTimeline;
  /** How many pixels wide its window was. */
  readonly widthPx: number;
  /** The rows that it is about. */
  readonly sight: Sight;
}

/** What is in sight. */
export type Sight = Pick<TimelineWindow, 'lanes' | 'instants' | 'counters'>;

/** The lanes, instants and counters of which something lies between two heights. */
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

/** What of blocks must be told besides what they are. */
export interface Told {
  readonly groupBy: SliceGrouping | null;
  /** Names of the ranges that stand out; none: all are alike. */
  readonly lit: readonly string[];
}

/** What is to be drawn. */
export interface Wanted {
  readonly window: TimeWindow;
  readonly widthPx: number;
  readonly sight: Sight;
  /** The same with some rows above and below, so that scrolling a little needs no question. */
  readonly wide: Sight;
  readonly told: Told;
}

/** Asks the engine for what is in sight: one question at a time, and always about the latest window. */
export class SliceSource {
  #key = -1;
  #answer: Answer | null = null;
  #told: Told | null = null;
  #isAsking = false;
  #wanted: Wanted | null = null;

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
  want(wanted: Wanted): void {
    if (wanted.widthPx <= 0 || this.#suffices(wanted)) return;
    this.#wanted = wanted;
    if (!this.#isAsking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      while (this.#wanted) {
        const {window, widthPx, wide: sight, told} = this.#wanted;
        this.#wanted = null;
        const key = this.#key;
        const marginNs = (window.toNs - window.fromNs) * margin;
        const place = {
          fromNs: window.fromNs - marginNs,
          toNs: window.toNs + marginNs,
          widthPx: Math.ceil(widthPx * (1 + 2 * margin)),
        };
        const timeline = await this.host.ask('timeline/visible', {key, window: question(place, sight, told)});
        if (key !== this.#key) continue;
        this.#answer = {timeline, widthPx: place.widthPx, sight};
        this.#told = told;
        this.onAnswer(this.#answer);
      }
    } catch (error) {
      this.onError(error);
    } finally {
      this.#isAsking = false;
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

/** The question about rows of a window. */
export function question(place: TimeWindow & {widthPx: number}, sight: Sight, {groupBy, lit}: Told): TimelineWindow {
  return {...place, ...sight, ...(groupBy && {groupBy}), ...(lit.length > 0 && {lit})};
}

/** Whether two tell alike. Lists of names are known by which they are: they may be long, and every frame asks. */
export function isSameTold(a: Told | null, b: Told | null): boolean {
  return a?.groupBy === b?.groupBy && a?.lit === b?.lit;
}

/** Whether everything of one sight is in another. */
export function holds(known: Sight, sight: Sight): boolean {
  return (
    sight.instants.every(track => known.instants.includes(track)) &&
    sight.counters.every(counter => known.counters.includes(counter)) &&
    sight.lanes.every(({track, firstLane, endLane}) =>
      known.lanes.some(own => own.track === track && own.firstLane <= firstLane && own.endLane >= endLane),
    )
  );
}
