import {formatCount} from '../../src/core/format/count.js';
import {formatDuration} from '../../src/core/format/duration.js';
import {timeFormatter} from '../../src/core/format/time.js';
import {fitAll, panBy, sane, zoomAt, type TimeWindow} from '../../src/core/layout/time-window.js';
import {
  laneAt,
  laneTopPx,
  rowsBetween,
  timelineRows,
  type TimelineRow,
  type TimelineRows,
} from '../../src/core/layout/timeline-rows.js';
import type {SliceArgument, SliceDetails} from '../../src/core/queries/slice-details.js';
import type {ProfileView, RevealTarget} from '../../src/protocol/view-messages.js';
import {fitCanvas, onNextFrame, type FittedCanvas} from '../shared/canvas.js';
import type {Host} from '../shared/host.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {Tooltip} from '../shared/tooltip.js';
import {drawTimeline} from './draw-timeline.js';
import {listenToGestures} from './gestures.js';
import {SliceSource, type Answer} from './slice-source.js';
import {blockSpan, gutterPx, rulerPx, type TimelineState} from './timeline-state.js';

/** What of the picture is told in words, beside the canvas. */
export interface TimelineListener {
  windowChanged(window: TimeWindow): void;
  selectionChanged(details: SliceDetails | null, trackName: string): void;
  /** What the file says of the selected slice. */
  argumentsRead(args: readonly SliceArgument[]): void;
  failed(error: unknown): void;
}

const noRows: TimelineRows = {rows: [], heightPx: 0};

/** The timeline of one profile on a canvas. */
export class Timeline {
  readonly #canvas: FittedCanvas;
  readonly #source: SliceSource;
  readonly #tooltip: Tooltip;
  readonly #redraw = onNextFrame(() => this.#draw());
  #theme = readTheme();
  #profile: ProfileView | null = null;
  #hover: {xPx: number; yPx: number} | null = null;
  #state: TimelineState = {
    rows: noRows,
    window: {fromNs: 0, toNs: 1},
    scrollPx: 0,
    answer: null,
    answerWidthPx: 1,
    hovered: null,
    selectedSlice: -1,
    highlighted: new Set(),
  };
  /** Aborted when something else is selected: what is being read of the slice before is not wanted any more. */
  #reading = new AbortController();
  /** Details that have been asked for, by slice: the mouse passes the same ones again and again. */
  readonly #details = new Map<number, Promise<SliceDetails | null>>();

  constructor(
    private readonly host: Host,
    canvas: HTMLCanvasElement,
    private readonly listener: TimelineListener,
  ) {
    this.#tooltip = new Tooltip(canvas.parentElement ?? document.body);
    this.#source = new SliceSource(
      host,
      answer => this.#take(answer),
      error => listener.failed(error),
    );
    this.#canvas = fitCanvas(canvas, () => {
      this.#scrollTo(this.#state.scrollPx);
      // A view that is just being opened has no size when it is told what to show.
      if (this.#state.highlighted.size > 0) void this.#scrollToSlice(this.#state.selectedSlice);
      this.#draw();
    });
    onThemeChange(() => {
      this.#theme = readTheme();
      this.#redraw();
    });
    listenToGestures(canvas, () => this.#plotPx, {
      zoom: (factor, xPx) => {
        const fraction = xPx === null ? 0.5 : (xPx - gutterPx) / this.#plotPx;
        this.#show(zoomAt(this.#state.window, Math.min(1, Math.max(0, fraction)), factor, this.#spanNs));
      },
      pan: fraction => this.#show(panBy(this.#state.window, fraction, this.#spanNs)),
      scroll: px => this.#scrollTo(this.#state.scrollPx + px),
      fitAll: () => this.fitAll(),
      fitSelection: () => void this.#fitSelection(),
      clear: () => this.#select(-1, []),
      hover: (xPx, yPx) => this.#hoverAt(xPx, yPx),
      leave: () => this.#endHover(),
      select: (xPx, yPx) => this.#selectAt(xPx, yPx),
    });
  }

  get window(): TimeWindow {
    return this.#state.window;
  }

  get scrollPx(): number {
    return this.#state.scrollPx;
  }

  /** Shows a profile, at a window that was stored for it or as a whole. */
  show(profile: ProfileView, stored: {window: TimeWindow; scrollPx: number} | null): void {
    this.#profile = profile;
    this.#reading.abort();
    this.#details.clear();
    this.#source.reset(profile.key);
    this.#update({
      rows: timelineRows(profile.tracks),
      answer: null,
      hovered: null,
      selectedSlice: -1,
      highlighted: new Set(),
      scrollPx: 0,
    });
    this.listener.selectionChanged(null, '');
    this.#show(stored ? sane(stored.window, profile.info.spanNs) : fitAll(profile.info.spanNs));
    if (stored) this.#scrollTo(stored.scrollPx);
  }

  fitAll(): void {
    this.#show(fitAll(this.#spanNs));
  }

  zoom(factor: number): void {
    this.#show(zoomAt(this.#state.window, 0.5, factor, this.#spanNs));
  }

  /** Brings a slice into view, selects it, and lets the ranges of its line stand out. */
  reveal({slice, fromNs, toNs, names}: RevealTarget): void {
    this.#show(sane({fromNs, toNs}, this.#spanNs));
    this.#select(slice, names);
    void this.#scrollToSlice(slice);
  }

  get #spanNs(): number {
    return this.#profile?.info.spanNs ?? 0;
  }

  get #plotPx(): number {
    return Math.max(1, this.#canvas.widthPx - gutterPx);
  }

  #update(change: Partial<TimelineState>): void {
    this.#state = {...this.#state, ...change};
    this.#redraw();
  }

  #show(window: TimeWindow): void {
    this.#update({window});
    this.listener.windowChanged(window);
  }

  #scrollTo(px: number): void {
    const {rows} = this.#state;
    const limitPx = Math.max(0, rows.heightPx - (this.#canvas.heightPx - rulerPx));
    this.#update({scrollPx: Math.min(limitPx, Math.max(0, px))});
  }

  #draw(): void {
    if (!this.#profile || this.#canvas.widthPx === 0) return;
    const {rows, scrollPx, window} = this.#state;
    const tracks = rowsBetween(rows, scrollPx, scrollPx + this.#canvas.heightPx).flatMap(row =>
      row.kind === 'track' ? [row.track.track] : [],
    );
    this.#source.want(window, this.#plotPx, tracks);
    if (this.#hover) this.#findHovered();
    drawTimeline(this.#canvas.context, this.#state, this.#canvas, this.#theme);
  }

  #take({slices, widthPx}: Answer): void {
    this.#update({answer: slices, answerWidthPx: widthPx, hovered: null});
  }

  /** The block at a place of the canvas, -1 for none. */
  #blockAt(xPx: number, yPx: number): number {
    const {answer, rows, scrollPx} = this.#state;
    const place = yPx < rulerPx || xPx < gutterPx ? null : laneAt(rows, yPx - rulerPx + scrollPx);
    if (!answer || !place) return -1;
    const {blocks} = answer;
    let best = -1;
    let bestDistancePx = 3;
    for (let block = 0; block < blocks.length; block++) {
      if (blocks.track[block] !== place.track || blocks.lane[block] !== place.lane) continue;
      const {leftPx, widthPx} = blockSpan(this.#state, this.#plotPx, block);
      const x = xPx - gutterPx;
      const distancePx = x < leftPx ? leftPx - x : Math.max(0, x - leftPx - Math.max(1, widthPx));
      if (distancePx < bestDistancePx) {
        best = block;
        bestDistancePx = distancePx;
      }
    }
    return best;
  }

  #hoverAt(xPx: number, yPx: number): void {
    this.#hover = {xPx, yPx};
    this.#findHovered();
    this.#redraw();
  }

  #endHover(): void {
    this.#hover = null;
    this.#tooltip.hide();
    this.#update({hovered: null});
  }

  #findHovered(): void {
    if (!this.#hover) return;
    const {xPx, yPx} = this.#hover;
    const block = this.#blockAt(xPx, yPx);
    const before = this.#state.hovered?.block ?? -1;
    this.#state = {...this.#state, hovered: block < 0 ? null : {block}};
    if (block < 0) this.#tooltip.hide();
    else this.#describeBlock(block, xPx, yPx, block !== before);
  }

  #describeBlock(block: number, xPx: number, yPx: number, isNew: boolean): void {
    const {answer} = this.#state;
    if (!answer) return;
    const {blocks, names} = answer;
    const count = blocks.count[block] ?? 1;
    const name = names[blocks.name[block] ?? -1] ?? '';
    if (count > 1) {
      const busy = `${String(Math.round(100 * (blocks.busyFraction[block] ?? 0)))} % of this width busy`;
      const title = `${formatCount(count)} slices${name === '' ? ' of several names' : ` of ${name}`}`;
      this.#tooltip.show(title, [busy, 'Zoom in to tell them apart'], xPx, yPx);
      return;
    }
    if (isNew) this.#tooltip.show(name, [], xPx, yPx);
    const slice = blocks.slice[block] ?? -1;
    void this.#detailsOf(slice).then(details => {
      const isStillThere = this.#hover?.xPx === xPx && this.#hover.yPx === yPx;
      if (details && isStillThere) this.#tooltip.show(details.name, this.#linesAbout(details), xPx, yPx);
    });
  }

  #linesAbout({startNs, durationNs, track, kind}: SliceDetails): string[] {
    return [
      `Start ${startText({startNs, durationNs})} · duration ${formatDuration(durationNs)}`,
      `${this.#trackName(track)} · ${kind}`,
    ];
  }

  #selectAt(xPx: number, yPx: number): void {
    const block = this.#blockAt(xPx, yPx);
    const {answer} = this.#state;
    const isSingle = answer && block >= 0 && answer.blocks.count[block] === 1;
    this.#select(isSingle ? (answer.blocks.slice[block] ?? -1) : -1, []);
  }

  #select(slice: number, names: readonly string[]): void {
    this.#update({selectedSlice: slice, highlighted: new Set(names)});
    this.#reading.abort();
    this.#reading = new AbortController();
    if (slice < 0) {
      this.listener.selectionChanged(null, '');
      return;
    }
    void this.#detailsOf(slice).then(details => {
      if (this.#state.selectedSlice !== slice) return;
      this.listener.selectionChanged(details, details ? this.#trackName(details.track) : '');
      if (details) void this.#tellArguments(slice);
    });
  }

  /** They are read from the file, which may take a moment, or be gone. */
  async #tellArguments(slice: number): Promise<void> {
    const key = this.#profile?.key ?? -1;
    const {signal} = this.#reading;
    try {
      const args = await this.host.ask('slice/arguments', {key, slice}, {signal});
      if (!signal.aborted) this.listener.argumentsRead(args);
    } catch (error) {
      const value = error instanceof Error ? error.message : String(error);
      if (!signal.aborted) this.listener.argumentsRead([{name: '', value}]);
    }
  }

  async #fitSelection(): Promise<void> {
    const details = this.#state.selectedSlice < 0 ? null : await this.#detailsOf(this.#state.selectedSlice);
    if (!details) {
      this.fitAll();
      return;
    }
    const marginNs = Math.max(10, details.durationNs * 0.1);
    const {startNs, durationNs} = details;
    this.#show(sane({fromNs: startNs - marginNs, toNs: startNs + durationNs + marginNs}, this.#spanNs));
  }

  /** A deep lane may lie below the edge although its track is in sight. */
  async #scrollToSlice(slice: number): Promise<void> {
    const details = await this.#detailsOf(slice);
    const row = details ? this.#rowOf(details.track) : undefined;
    if (!details || !row) return;
    const topPx = laneTopPx(row, details.lane);
    const visiblePx = this.#canvas.heightPx - rulerPx;
    if (topPx < this.#state.scrollPx) this.#scrollTo(topPx - 40);
    else if (topPx + 40 > this.#state.scrollPx + visiblePx) this.#scrollTo(topPx + 40 - visiblePx);
  }

  #rowOf(track: number): TimelineRow | undefined {
    return this.#state.rows.rows.find(row => row.kind === 'track' && row.track.track === track);
  }

  #detailsOf(slice: number): Promise<SliceDetails | null> {
    const key = this.#profile?.key ?? -1;
    let details = this.#details.get(slice);
    if (!details) {
      details = this.host.ask('slice/details', {key, slice}).catch(() => null);
      this.#details.set(slice, details);
    }
    return details;
  }

  #trackName(track: number): string {
    const summary = this.#profile?.tracks.find(candidate => candidate.track === track);
    return summary ? `${summary.group} · ${summary.name}` : '';
  }
}

/** Where a slice begins, to a hundredth of its duration. */
export function startText({startNs, durationNs}: {readonly startNs: number; readonly durationNs: number}): string {
  return timeFormatter(startNs, durationNs / 100)(startNs);
}
