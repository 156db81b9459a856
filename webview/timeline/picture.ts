import {trackText} from '../../src/core/names/track-text.js';
import {fitAll, sane, type TimeWindow} from '../../src/core/base/time-window.js';
import {
  plainLayout,
  rowAt,
  rowOfLane,
  scrollToShow,
  timelineRows,
  type TimelineLayout,
  type TimelineRow,
  type TimelineRows,
} from '../../src/core/layout/timeline-rows.js';
import {layoutShowing, type Hiding} from '../../src/core/layout/row-showing.js';
import type {SketchPicture} from '../../src/core/questions/trace-sketch.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {ProfileView} from '../../src/protocol/view-messages.js';
import {fitCanvas, onNextFrame, type FittedCanvas} from '../shared/canvas.js';
import {scrollToRow} from './row-focus.js';
import {keptToggles} from './kept-toggles.js';
import type {TimelineListener} from './timeline-listener.js';
import {emptyState, gutterOf, headerPx, highlightedAs, type Coloring, type TimelineState} from './timeline-state.js';

/** The drawn parts of a profile. */
export type PicturedProfile = Pick<ProfileView, 'key' | 'tracks' | 'counters' | 'steps'> & {
  readonly info: Pick<ProfileView['info'], 'spanNs' | 'processes'>;
};

/** How rows are folded and filtered, and which part of them is visible. */
export interface TimelinePlace {
  readonly layout: TimelineLayout;
  /** A different list if the user has folded or opened rows since. */
  readonly keptToggles: TimelineLayout['toggled'];
  readonly window: TimeWindow;
  readonly scrollPx: number;
}

/** The visible part of a profile: the window of time, the rows and their scroll position. */
export class Picture {
  readonly canvas: FittedCanvas;
  readonly #redraw: () => void;
  #profile: PicturedProfile | null = null;
  #layout: TimelineLayout = plainLayout;
  /** The rows that the user has toggled, without those that were opened to show a slice. */
  #keptToggles = plainLayout.toggled;
  #state: TimelineState = emptyState;

  /**
   * @param draw draws the state; called once per frame, however often it changes
   * @param onResize is called when the canvas has its new size
   */
  constructor(
    canvas: HTMLCanvasElement,
    private readonly listener: TimelineListener,
    draw: () => void,
    onResize: () => void,
  ) {
    this.#redraw = onNextFrame(draw);
    this.canvas = fitCanvas(canvas, () => {
      this.amend({gutterPx: gutterOf(this.canvas.widthPx)});
      onResize();
    });
  }

  get state(): TimelineState {
    return this.#state;
  }

  get profile(): PicturedProfile | null {
    return this.#profile;
  }

  get layout(): TimelineLayout {
    return this.#layout;
  }

  /** All rows of the profile, including hidden ones. */
  get allRows(): TimelineRows {
    return this.#profile ? timelineRows(this.#profile) : emptyState.rows;
  }

  get spanNs(): number {
    return this.#state.spanNs;
  }

  /** The width of the plot in px. */
  get plotPx(): number {
    return Math.max(1, this.canvas.widthPx - this.#state.gutterPx);
  }

  /** The height of the visible rows in px. */
  get visiblePx(): number {
    return this.canvas.heightPx - headerPx(this.#state);
  }

  /** Begins with another profile; the order of rows, folds, pins and colours stay. */
  begin(profile: PicturedProfile, filter: string): void {
    this.#profile = profile;
    this.#layout = {...this.#layout, filter};
    const {coloring, gutterPx} = this.#state;
    const {spanNs} = profile.info;
    const rows = timelineRows(profile, this.#layout);
    this.#state = {...emptyState, coloring, gutterPx, spanNs, rows, steps: profile.steps};
  }

  /** Draws more of a profile that is being read. The window stays, unless it shows the whole profile. */
  sketch({tracks, counters, originNs, spanNs, timeline, widthPx}: SketchPicture, before: SketchPicture | null): void {
    const profile = {key: -1, tracks, counters, steps: [], info: {spanNs, processes: 1}};
    if (!before) this.begin(profile, this.#layout.filter);
    this.#profile = profile;
    const earlierNs = before ? before.originNs - originNs : 0;
    const {fromNs, toNs} = this.#state.window;
    const window =
      !before || this.isWhole ? fitAll(spanNs) : sane({fromNs: fromNs + earlierNs, toNs: toNs + earlierNs}, spanNs);
    const rows = timelineRows(profile, this.#layout);
    this.update({spanNs, rows, backdrop: {timeline, widthPx}});
    this.show(window);
  }

  /** Whether the whole time is visible, as at first. */
  get isWhole(): boolean {
    const whole = fitAll(this.spanNs);
    return this.#state.window.fromNs === whole.fromNs && this.#state.window.toNs === whole.toNs;
  }

  redraw(): void {
    this.#redraw();
  }

  update(change: Partial<TimelineState>): void {
    this.#state = {...this.#state, ...change};
    this.#redraw();
  }

  /** Changes the state while a frame is drawn, without requesting another frame. */
  amend(change: Partial<TimelineState>): void {
    this.#state = {...this.#state, ...change};
  }

  /** Arranges the rows as the user has chosen. */
  arrange(layout: TimelineLayout, coloring: Coloring): void {
    this.#keptToggles = keptToggles(this.#keptToggles, this.#layout.toggled, layout.toggled);
    this.#place(layout, coloring);
  }

  #place(layout: TimelineLayout, coloring: Coloring): void {
    this.#layout = layout;
    this.update({coloring, ...(this.#profile ? {rows: timelineRows(this.#profile, layout)} : {})});
    this.scrollTo(this.#state.scrollPx);
    this.listener.layoutChanged({...layout, toggled: this.#keptToggles}, coloring);
  }

  /** The current place, to return to it later. */
  get place(): TimelinePlace {
    const {window, scrollPx} = this.#state;
    return {layout: this.#layout, keptToggles: this.#keptToggles, window, scrollPx};
  }

  /** Folds rows that were opened since, and restores the filter; the user's own folds since then stay. */
  foldAsAt({layout, keptToggles}: TimelinePlace): void {
    if (keptToggles === this.#keptToggles && layout !== this.#layout) this.#place(layout, this.#state.coloring);
  }

  /** Returns to a place. */
  backTo(place: TimelinePlace): void {
    this.foldAsAt(place);
    this.scrollTo(place.scrollPx);
    this.show(place.window);
  }

  /** Highlights ranges of these names; none if the list is empty or too long. */
  highlight(names: readonly string[]): void {
    this.update({highlighted: highlightedAs(this.#state.highlighted, names)});
  }

  /** Shows a window of time. */
  show(window: TimeWindow): void {
    this.update({window});
    this.listener.windowChanged(window);
  }

  /** Shows a window, with some margin on both sides. */
  fit({fromNs, toNs}: TimeWindow): void {
    const marginNs = Math.max(10, (toNs - fromNs) * 0.1);
    this.show(sane({fromNs: fromNs - marginNs, toNs: toNs + marginNs}, this.spanNs));
  }

  /** Shows a step; returns false if there is none. */
  fitStep(step: Step | null | undefined): boolean {
    if (!step) return false;
    this.fit(this.listener.stepWindow(step));
    this.listener.stepShown(step);
    return true;
  }

  scrollTo(px: number): void {
    const limitPx = Math.max(0, this.#state.rows.heightPx - this.visiblePx);
    this.update({scrollPx: Math.min(limitPx, Math.max(0, px))});
  }

  scrollToRow(row: TimelineRow): void {
    this.scrollTo(scrollToRow(row, this.#state.scrollPx, this.visiblePx));
  }

  /** Removes what hides a slice (the filter, folds), and returns it. */
  uncover({track, lane}: SliceDetails): readonly Hiding[] {
    if (!this.#profile) return [];
    const {layout, hidBy} = layoutShowing(this.#profile, this.#layout, track, lane);
    if (hidBy.length > 0) this.#place(layout, this.#state.coloring);
    return hidBy;
  }

  scrollToSlice({track, lane}: SliceDetails): void {
    const row = rowOfLane(this.#state.rows, track, lane);
    if (row) this.scrollTo(scrollToShow(row, lane, this.#state.scrollPx, this.visiblePx));
  }

  /** Returns the row at a height of the canvas. */
  rowAt(yPx: number): TimelineRow | null {
    const topPx = headerPx(this.#state);
    return yPx < topPx ? null : rowAt(this.#state.rows, yPx - topPx + this.#state.scrollPx);
  }

  rowOf(key: string): TimelineRow | null {
    return this.#state.rows.rows.find(row => row.key === key) ?? null;
  }

  trackName(track: number): string {
    const summary = this.#profile?.tracks.find(candidate => candidate.track === track);
    return summary ? trackText(`${summary.group} · ${summary.name}`) : '';
  }
}
