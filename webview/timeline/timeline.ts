import {fitAll, panBy, sane, zoomAt, type TimeWindow} from '../../src/core/layout/time-window.js';
import {placeBeside, withRowAt, type RowPlace} from '../../src/core/layout/row-order.js';
import {
  plainLayout,
  rowAt,
  rowOfLane,
  scrollToShow,
  timelineRows,
  type TimelineLayout,
  type TimelineRow,
} from '../../src/core/layout/timeline-rows.js';
import type {InstantDetails, SliceDetails} from '../../src/core/queries/slice-details.js';
import type {Step} from '../../src/core/queries/steps.js';
import type {ProfileView, RevealTarget} from '../../src/protocol/view-messages.js';
import {fitCanvas, onNextFrame, type FittedCanvas} from '../shared/canvas.js';
import type {Host} from '../shared/host.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {nextStep, stepAt} from './step-places.js';
import type {TimelineListener} from './timeline-listener.js';
import {areaSelection} from './area-selection.js';
import {dragged, dragKindAt, type DragKind} from './drag.js';
import {drawTimeline} from './draw-timeline.js';
import {listenToGestures, type TimelineActions} from './gestures.js';
import {hitAt} from './hit-test.js';
import {HoverTip} from './hover-tip.js';
import {areaOver, placeText, rowBeside, rowText, scrollToRow} from './row-focus.js';
import {Selection} from './selection.js';
import {sightOf, SliceSource, type Answer} from './slice-source.js';
import {toggled} from './toggled.js';
import {windowAround} from './window-around.js';
import {
  emptyState,
  foldPx,
  gutterPx,
  headerPx,
  overviewNsAt,
  overviewPx,
  pinPx,
  type Area,
  type Coloring,
  type TimelineState,
  groupingOf,
  nextColoring,
} from './timeline-state.js';

/** Parts of the overview: as many as it has pixels on most screens. */
const overviewParts = 1200;

/** The timeline of one profile on a canvas. */
export class Timeline {
  readonly #canvas: FittedCanvas;
  readonly #source: SliceSource;
  readonly #selection: Selection;
  readonly #tip: HoverTip;
  readonly #redraw = onNextFrame(() => this.#draw());
  #theme = readTheme();
  #profile: ProfileView | null = null;
  #layout: TimelineLayout = plainLayout;
  #drag: {kind: DragKind; xPx: number; yPx: number} | null = null;
  #state: TimelineState = emptyState;

  constructor(
    private readonly host: Host,
    canvas: HTMLCanvasElement,
    private readonly listener: TimelineListener,
  ) {
    this.#selection = new Selection(host, {
      changed: (slice, instant) => this.#selectionChanged(slice, instant),
      linked: links => this.#update({links}),
      placed: context => listener.contextRead(context),
      argumentsRead: args => listener.argumentsRead(args),
    });
    this.#tip = new HoverTip(canvas.parentElement ?? document.body, this.#selection, track => this.trackName(track));
    this.#source = new SliceSource(
      host,
      answer => this.#take(answer),
      error => listener.failed(error),
    );
    this.#canvas = fitCanvas(canvas, () => {
      this.#scrollTo(this.#state.scrollPx);
      // A view that is just being opened has no size when it is told what to show.
      if (this.#state.highlighted.size > 0 && this.#selection.slice) this.#scrollToSlice(this.#selection.slice);
      this.#draw();
    });
    onThemeChange(() => {
      this.#theme = readTheme();
      this.#redraw();
    });
    listenToGestures(canvas, () => this.#plotPx, this.#actions());
  }

  get window(): TimeWindow {
    return this.#state.window;
  }

  get scrollPx(): number {
    return this.#state.scrollPx;
  }

  get selection(): Pick<Selection, 'slice' | 'chosen'> {
    return this.#selection;
  }

  /** Shows a profile, at a window that was stored for it or as a whole. */
  show(profile: ProfileView, stored: {window: TimeWindow; scrollPx: number} | null): void {
    this.#profile = profile;
    this.#source.reset(profile.key);
    const {layout, coloring} = {layout: this.#layout, coloring: this.#state.coloring};
    const {spanNs} = profile.info;
    this.#state = {...emptyState, coloring, spanNs, rows: timelineRows(profile, layout), steps: profile.steps};
    this.#selection.reset(profile.key);
    this.#show(stored ? sane(stored.window, spanNs) : fitAll(spanNs));
    if (stored) this.#scrollTo(stored.scrollPx);
    const {key} = profile;
    this.host.ask('timeline/activity', {key, parts: overviewParts}).then(
      activity => {
        if (this.#profile?.key === key) this.#update({activity});
      },
      (error: unknown) => this.listener.failed(error),
    );
  }

  /** Arranges the rows. */
  arrange(layout: TimelineLayout, coloring: Coloring = this.#state.coloring): void {
    this.#layout = layout;
    this.#update({coloring, ...(this.#profile ? {rows: timelineRows(this.#profile, layout)} : {})});
    this.#scrollTo(this.#state.scrollPx);
    this.listener.layoutChanged(layout, coloring);
  }

  filter(text: string): void {
    this.arrange({...this.#layout, filter: text});
  }

  fitAll(): void {
    this.#show(fitAll(this.#spanNs));
  }

  zoom(factor: number): void {
    this.#show(zoomAt(this.#state.window, 0.5, factor, this.#spanNs));
  }

  recolor(): void {
    this.arrange(this.#layout, nextColoring(this.#state.coloring, this.#profile?.info.processes ?? 1));
  }

  /** Brings a slice into view, selects it, and lets the ranges of its line stand out. */
  reveal({slice, fromNs, toNs, names}: RevealTarget): void {
    this.#show(sane({fromNs, toNs}, this.#spanNs));
    void this.#selectAndShow(slice, names);
  }

  /** Lets slices of these names stand out; none: all alike. */
  highlight(names: readonly string[]): void {
    this.#update({highlighted: new Set(names)});
  }

  /** Selects a slice and brings it into view: a hit of a search, the end of a flow. */
  goTo(details: SliceDetails): void {
    const window = windowAround(details, this.#state.window, this.#spanNs);
    if (window) this.#show(window);
    void this.#selectAndShow(details.slice, []);
  }

  /** Shows step `number`, the first where several processes have one; false where there is none. */
  goToStep(number: number): boolean {
    return this.#fitTo(this.#state.steps.find(candidate => candidate.number === number));
  }

  /** Marks a window over all rows, or takes the area away that is marked. */
  markWindow(window: TimeWindow | null): void {
    if (window) {
      this.#markArea(areaOver(this.#state, window, null));
      return;
    }
    this.#update({area: null});
    this.listener.areaChanged(null);
  }

  /** Shows a window, with some room on both sides. */
  #fit(fromNs: number, toNs: number): void {
    const marginNs = Math.max(10, (toNs - fromNs) * 0.1);
    this.#show(sane({fromNs: fromNs - marginNs, toNs: toNs + marginNs}, this.#spanNs));
  }

  trackName(track: number): string {
    const summary = this.#profile?.tracks.find(candidate => candidate.track === track);
    return summary ? `${summary.group} · ${summary.name}` : '';
  }

  get #spanNs(): number {
    return this.#state.spanNs;
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
    const limitPx = Math.max(0, this.#state.rows.heightPx - (this.#canvas.heightPx - headerPx(this.#state)));
    this.#update({scrollPx: Math.min(limitPx, Math.max(0, px))});
  }

  #draw(): void {
    if (!this.#profile || this.#canvas.widthPx === 0) return;
    const {rows, scrollPx, window} = this.#state;
    const heightPx = this.#canvas.heightPx - headerPx(this.#state);
    const sight = sightOf(rows, scrollPx, scrollPx + heightPx);
    const wide = sightOf(rows, scrollPx - heightPx / 2, scrollPx + heightPx * 1.5);
    this.#source.want(window, this.#plotPx, sight, wide, groupingOf(this.#state.coloring));
    const {over} = this.#tip;
    if (over) this.#state = {...this.#state, hovered: this.#tip.at(this.#state, this.#plotPx, over.xPx, over.yPx)};
    drawTimeline(this.#canvas.context, this.#state, this.#canvas, this.#theme);
  }

  #take({timeline, widthPx}: Answer): void {
    this.#update({answer: timeline, answerWidthPx: widthPx, hovered: null});
    this.listener.answered(this.#state);
  }

  #actions(): TimelineActions {
    return {
      zoom: (factor, xPx) => {
        const fraction = xPx === null ? 0.5 : (xPx - gutterPx) / this.#plotPx;
        this.#show(zoomAt(this.#state.window, Math.min(1, Math.max(0, fraction)), factor, this.#spanNs));
      },
      pan: fraction => this.#show(panBy(this.#state.window, fraction, this.#spanNs)),
      scroll: px => this.#scrollTo(this.#state.scrollPx + px),
      fitAll: () => this.fitAll(),
      fitSelection: () => this.#fitSelection(),
      clear: () => this.#back(),
      hover: (xPx, yPx) => {
        this.#tip.moveTo(xPx, yPx);
        this.#update({hoveredRow: xPx < gutterPx ? (this.#rowAt(yPx)?.key ?? '') : ''});
      },
      leave: () => {
        this.#tip.leave();
        this.#update({hovered: null, hoveredRow: ''});
      },
      click: (xPx, yPx) => this.#clickAt(xPx, yPx),
      dragFrom: (xPx, yPx) => {
        this.#drag = {kind: dragKindAt(this.#state, xPx, yPx), xPx, yPx};
        this.#tip.leave();
      },
      dragTo: (xPx, yPx) => {
        if (!this.#drag) return;
        const change = dragged(this.#state, this.#plotPx, this.#drag.kind, this.#drag, {xPx, yPx});
        this.#update(change);
        if (change.window) this.listener.windowChanged(change.window);
      },
      endDrag: () => {
        const {drop} = this.#state;
        this.#cancelDrag();
        if (drop) this.#putRow(drop.row, drop.place);
      },
      cancelDrag: () => this.#cancelDrag(),
      neighbour: direction => void this.#goToNeighbour(direction),
      follow: direction => {
        const end = this.#selection.followed(direction);
        if (end) this.goTo(end);
      },
      mark: () => this.#mark(),
      markArea: () => this.#markArea(areaOver(this.#state, this.#selectedNs ?? this.#state.window, this.#focusedRow)),
      step: direction => this.#fitTo(nextStep(this.#state.steps, this.#state.window, direction)),
      fitStep: () => this.#fitTo(stepAt(this.#state.steps, this.#markNs)),
      focusRow: direction => this.#focusRow(direction),
      moveRow: direction => this.#putRow(this.#row, this.#row && placeBeside(this.#state.rows, this.#row, direction)),
      foldRow: () => this.#toggle('toggled', this.#row?.key),
      pinRow: () => this.#toggle('pinned', this.#row?.kind === 'group' ? undefined : this.#row?.key),
      recolor: () => this.recolor(),
      search: () => this.listener.searchWanted(),
      help: () => this.listener.helpWanted(),
    };
  }

  #clickAt(xPx: number, yPx: number): void {
    if (yPx < overviewPx && xPx >= gutterPx) {
      const middleNs = overviewNsAt(this.#state, this.#plotPx, xPx);
      const halfNs = (this.#state.window.toNs - this.#state.window.fromNs) / 2;
      this.#show(sane({fromNs: middleNs - halfNs, toNs: middleNs + halfNs}, this.#spanNs));
      return;
    }
    const row = this.#rowAt(yPx);
    if (row?.kind === 'group') this.#toggle('toggled', row.key);
    else if (row && xPx < gutterPx) {
      if (xPx >= gutterPx - pinPx) this.#toggle('pinned', row.key);
      else if (xPx < foldPx + 12 && row.kind === 'track') this.#toggle('toggled', row.key);
    } else this.#selectAt(xPx, yPx);
  }

  #rowAt(yPx: number): ReturnType<typeof rowAt> {
    const topPx = headerPx(this.#state);
    return yPx < topPx ? null : rowAt(this.#state.rows, yPx - topPx + this.#state.scrollPx);
  }

  #selectAt(xPx: number, yPx: number): void {
    const hit = hitAt(this.#state, this.#plotPx, xPx, yPx);
    const {answer} = this.#state;
    this.#update({highlighted: new Set(), focusedRow: ''});
    if (!hit || !answer) {
      this.#selection.clear();
    } else if (hit.kind === 'instant') {
      const {markers} = answer.instants;
      if (markers.count[hit.row] === 1) void this.#selection.selectInstant(markers.instant[hit.row]);
    } else {
      const {blocks} = answer.slices;
      if (blocks.count[hit.row] === 1) void this.#selection.selectSlice(blocks.slice[hit.row]);
      else this.#selection.clear();
    }
  }

  #selectionChanged(slice: SliceDetails | null, instant: InstantDetails | null): void {
    this.#update({selectedSlice: slice?.slice ?? -1, selectedInstant: instant?.instant ?? -1, links: []});
    this.listener.selectionChanged(slice, instant, this.trackName(slice?.track ?? instant?.track ?? -1));
  }

  async #selectAndShow(slice: number, names: readonly string[]): Promise<void> {
    this.#update({highlighted: new Set(names)});
    const details = await this.#selection.selectSlice(slice);
    if (details) this.#scrollToSlice(details);
  }

  async #goToNeighbour(direction: -1 | 1): Promise<void> {
    const next = await this.#selection.neighbour(direction);
    if (next) this.goTo(next);
  }

  #fitSelection(): void {
    const shown = this.#state.area ?? this.#selectedNs;
    if (shown) this.#fit(shown.fromNs, shown.toNs);
    else this.fitAll();
  }

  /** The time of the selected slice. */
  get #selectedNs(): TimeWindow | null {
    const {slice} = this.#selection;
    return slice && {fromNs: slice.startNs, toNs: slice.startNs + slice.durationNs};
  }

  #markArea(area: Area): void {
    // An area of no time would narrow figures to nothing.
    if (!(area.toNs > area.fromNs)) {
      this.markWindow(null);
      return;
    }
    this.#update({area});
    this.listener.areaChanged(areaSelection(this.#state, area));
  }

  #cancelDrag(): void {
    const kind = this.#drag?.kind;
    this.#drag = null;
    this.#update({drop: null});
    // What is drawn by then is the area: also none, of a drag that ended below all rows.
    if (kind === 'area' && this.#state.area) this.#markArea(this.#state.area);
    else if (kind === 'area') this.markWindow(null);
  }

  /** One thing at a time: a row that is dragged, the marked area, what was measured, the selection. */
  #back(): void {
    if (this.#state.drop) this.#cancelDrag();
    else if (this.#state.area) this.markWindow(null);
    else if (this.#state.measured) this.#update({measured: null});
    else {
      this.#update({highlighted: new Set(), focusedRow: ''});
      this.#selection.clear();
    }
  }

  /** Where the selection begins, else the middle of the window. */
  get #markNs(): number {
    const {fromNs, toNs} = this.#state.window;
    return this.#selection.slice?.startNs ?? (fromNs + toNs) / 2;
  }

  #mark(): void {
    this.#update({marks: [...toggled(this.#state.marks, this.#markNs)]});
  }

  /** False where there is no such step. */
  #fitTo(step: Step | null | undefined): boolean {
    if (step) this.#fit(step.startNs, step.endNs);
    return step !== null && step !== undefined;
  }

  get #focusedRow(): TimelineRow | null {
    return this.#rowOf(this.#state.focusedRow);
  }

  /** The row that keys act on: the one that was chosen, else that of the selection. */
  get #row(): TimelineRow | null {
    const {slice} = this.#selection;
    return this.#focusedRow ?? (slice && rowOfLane(this.#state.rows, slice.track, slice.lane));
  }

  #focusRow(direction: -1 | 1): void {
    const row = rowBeside(this.#state.rows, this.#row?.key ?? '', direction);
    if (!row) return;
    this.#update({focusedRow: row.key});
    this.#scrollToRow(row);
    this.listener.rowFocused(rowText(row));
  }

  /** Puts what a row belongs to at another place; null where it is at the end already. */
  #putRow(row: TimelineRow | null, place: RowPlace | null): void {
    if (!this.#profile || !row) return;
    if (place) this.arrange(withRowAt(this.#profile, this.#layout, row, place));
    const moved = this.#rowOf(row.key);
    if (!moved) return;
    this.#scrollToRow(moved);
    this.listener.rowFocused(placeText(this.#state.rows, moved));
  }

  #toggle(what: 'toggled' | 'pinned', key: string | undefined): void {
    if (key === undefined) return;
    this.arrange({...this.#layout, [what]: toggled(this.#layout[what], key)});
    const row = this.#rowOf(key);
    if (row) this.listener.rowFocused(rowText(row));
  }

  #rowOf(key: string): TimelineRow | null {
    return this.#state.rows.rows.find(row => row.key === key) ?? null;
  }

  #scrollToRow(row: TimelineRow): void {
    this.#scrollTo(scrollToRow(row, this.#state.scrollPx, this.#canvas.heightPx - headerPx(this.#state)));
  }

  #scrollToSlice({track, lane}: SliceDetails): void {
    const row = rowOfLane(this.#state.rows, track, lane);
    const visiblePx = this.#canvas.heightPx - headerPx(this.#state);
    if (row) this.#scrollTo(scrollToShow(row, lane, this.#state.scrollPx, visiblePx));
  }
}
