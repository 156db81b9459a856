import {fitAll, sane, zoomAt, type TimeWindow} from '../../src/core/base/time-window.js';
import type {Hiding} from '../../src/core/layout/row-showing.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {TimelineLayout} from '../../src/core/layout/timeline-rows.js';
import type {SketchPicture} from '../../src/core/questions/trace-sketch.js';
import type {InstantDetails, SliceDetails} from '../../src/core/questions/slice-details.js';
import type {ProfileView, RevealTarget} from '../../src/protocol/view-messages.js';
import type {Host} from '../shared/host.js';
import {onThemeChange, readTheme} from '../shared/theme.js';
import {AreaDrags} from './area-drags.js';
import {areaOverRows} from './area-place.js';
import {BackdropSource} from './backdrop-source.js';
import {drawTimeline} from './draw-timeline.js';
import {listenToGestures} from './gestures.js';
import {HoverTip} from './hover-tip.js';
import {PathSource} from './path-source.js';
import {Picture, type TimelinePlace} from './picture.js';
import {RowActions} from './row-actions.js';
import {Selection} from './selection.js';
import {sightOf, SliceSource, type Answer} from './slice-source.js';
import {recolor, timelineActions} from './timeline-actions.js';
import {stepDrawnAt} from './step-places.js';
import type {TimelineListener} from './timeline-listener.js';
import type {StoredSelection, StoredView} from './stored-views.js';
import {groupingOf, type Area, type Coloring} from './timeline-state.js';
import {windowAround, windowOfBoth} from './window-around.js';

/** Number of parts of the overview: its width in pixels on most screens. */
const overviewParts = 1200;

/** The timeline of one profile on a canvas. */
export class Timeline {
  readonly #picture: Picture;
  readonly #source: SliceSource;
  readonly #backdrops: BackdropSource;
  readonly #selection: Selection;
  readonly #areas: AreaDrags;
  readonly #rows: RowActions;
  readonly #tip: HoverTip;
  readonly #path: PathSource;
  /** The selection, also while it is being restored. */
  #selected: StoredSelection | null = null;
  /** The area that was marked in the earlier view of the profile; restored if figures are scoped to it. */
  #marked: Area | null = null;
  #theme = readTheme();
  /** The latest picture of a profile that is being read, which cannot be queried. */
  #sketched: SketchPicture | null = null;
  /**
   * Whether the latest picture of a profile that was being read stays until the engine has answered for the visible
   * window.
   */
  #isHeld = false;

  constructor(
    private readonly host: Host,
    canvas: HTMLCanvasElement,
    private readonly listener: TimelineListener,
  ) {
    this.#picture = new Picture(
      canvas,
      listener,
      () => this.#draw(),
      () => this.#resized(),
    );
    const picture = this.#picture;
    this.#selection = new Selection(host, {
      changed: (slice, instant) => this.#selectionChanged(slice, instant),
      linked: links => picture.update({links}),
      placed: context => listener.contextRead(context),
      slackRead: slack => listener.slackRead(slack),
      argumentsRead: args => listener.argumentsRead(args),
    });
    const selection = this.#selection;
    this.#tip = new HoverTip(canvas.parentElement ?? document.body, selection, track => picture.trackName(track));
    this.#source = new SliceSource(
      host,
      answer => this.#take(answer),
      error => {
        this.#letGo();
        listener.failed(error);
      },
    );
    this.#backdrops = new BackdropSource(host, backdrop => picture.update({backdrop}));
    this.#path = new PathSource(host, {
      changed: (path, isOn) => {
        picture.update({path});
        listener.pathChanged(path, isOn);
      },
      failed: error => listener.failed(error),
    });
    const rows = new RowActions(picture, selection, listener);
    this.#rows = rows;
    this.#areas = new AreaDrags(picture, rows, listener);
    onThemeChange(() => {
      this.#theme = readTheme();
      picture.redraw();
    });
    const goTo = (details: SliceDetails, from?: SliceDetails) => this.follow(details, from);
    const parts = {picture, selection, rows, areas: this.#areas, tip: this.#tip, path: this.#path, listener, goTo};
    listenToGestures(canvas, () => picture.plotPx, timelineActions(parts));
  }

  get window(): TimeWindow {
    return this.#picture.state.window;
  }

  /** From the first to the last event of the drawn profile, ns. */
  get spanNs(): number {
    return this.#picture.spanNs;
  }

  /** Whether it shows a profile that is still being read. */
  get isSketched(): boolean {
    return this.#sketched !== null;
  }

  get selection(): Pick<Selection, 'slice' | 'chosen'> {
    return this.#selection;
  }

  /** Draws what was read so far of a profile that is being opened; null if another one is opened, or none. */
  sketch(sketched: SketchPicture | null): void {
    if (sketched && !this.#sketched) {
      this.#isHeld = false;
      this.#picture.canvas.fit();
      this.#selection.reset(-1);
      this.#path.reset(-1);
    }
    if (sketched) this.#picture.sketch(sketched, this.#sketched);
    this.#sketched = sketched;
  }

  /** Shows a profile in its earlier view or as a whole; a profile that was drawn while it was read keeps its view. */
  show(profile: ProfileView, storedView: StoredView | null): void {
    const picture = this.#picture;
    const {key} = profile;
    const stored = this.#sketched && !picture.isWhole ? this.view : storedView;
    this.#isHeld = this.#sketched !== null;
    this.#sketched = null;
    picture.canvas.fit();
    this.#source.reset(key);
    picture.begin(profile, stored?.filter ?? '');
    picture.update({backdrop: this.#backdrops.reset(key)});
    this.#path.reset(key);
    this.#selection.reset(key);
    this.#marked = stored?.area ?? null;
    picture.show(stored ? sane(stored.window, picture.spanNs) : fitAll(picture.spanNs));
    if (stored) this.#restore(stored);
    // The request for the visible window precedes all others, and does not wait for a frame.
    this.#ask();
    this.host.ask('timeline/activity', {key, parts: overviewParts}).then(
      activity => {
        if (picture.profile?.key === key) picture.update({activity});
      },
      (error: unknown) => this.listener.failed(error),
    );
  }

  /** Arranges the rows. */
  arrange(layout: TimelineLayout, coloring: Coloring): void {
    this.#picture.arrange(layout, coloring);
  }

  /** Shows a window exactly, even beyond the trace. */
  showExactly(window: TimeWindow): void {
    this.#picture.show(window);
  }

  /** Shows a window with some margin on both sides. */
  showAround(window: TimeWindow): void {
    this.#picture.fit(window);
  }

  /** Draws the cursor of linked timelines at a time; null for none. */
  showCursor(cursorNs: number | null): void {
    if (this.#picture.state.cursorNs !== cursorNs) this.#picture.update({cursorNs});
  }

  filter(text: string): void {
    this.#picture.arrange({...this.#picture.layout, filter: text}, this.#picture.state.coloring);
  }

  fitAll(): void {
    this.#picture.show(fitAll(this.#picture.spanNs));
  }

  zoom(factor: number): void {
    this.#picture.show(zoomAt(this.window, 0.5, factor, this.#picture.spanNs));
  }

  togglePath(): void {
    this.#path.toggle();
    this.#picture.redraw();
  }

  recolor(): void {
    recolor(this.#picture);
  }

  /** Scrolls to a slice, selects it, and highlights the ranges of its line. */
  reveal({slice, fromNs, toNs, names}: RevealTarget): void {
    this.#picture.show(sane({fromNs, toNs}, this.#picture.spanNs));
    void this.#selectAndShow(slice, names).then(hidBy => this.listener.uncovered(hidBy));
  }

  /** Highlights slices of these names; empty for no highlight. */
  highlight(names: readonly string[]): void {
    this.#picture.highlight(names);
  }

  /** Scrolls to a slice (the end of a flow, a neighbour, a link), and reports what was removed that hid it. */
  follow(details: SliceDetails, from?: SliceDetails): void {
    this.listener.uncovered(this.goTo(details, from));
  }

  /** The current place, to return to it later. */
  get place(): TimelinePlace {
    return this.#picture.place;
  }

  /** Returns to a place; the selection stays. */
  backTo(place: TimelinePlace): void {
    this.#picture.backTo(place);
  }

  /** Goes to a slice from a place: rows that were opened for others since are folded again. */
  goToFrom(place: TimelinePlace, details: SliceDetails): readonly Hiding[] {
    this.#picture.foldAsAt(place);
    return this.goTo(details);
  }

  /**
   * Selects a slice and scrolls to it, after removing what hides its row; the caller reports what hid it.
   *
   * @param from the other end of a flow, which stays visible
   */
  goTo(details: SliceDetails, from?: SliceDetails): readonly Hiding[] {
    const hidBy = this.#picture.uncover(details);
    const {spanNs} = this.#picture;
    const window = from ? windowOfBoth(from, details, this.window, spanNs) : windowAround(details, this.window, spanNs);
    if (window) this.#picture.show(window);
    void this.#selectAndShow(details.slice, []);
    return hidBy;
  }

  /** Shows step `number`, the first one if several processes have it; returns false if there is none. */
  goToStep(number: number): boolean {
    return this.#picture.fitStep(this.#picture.state.steps.find(candidate => candidate.number === number));
  }

  /** Returns the step drawn at an x of the canvas; undefined for none. */
  stepDrawnAt(xPx: number): Step | undefined {
    const {state, plotPx} = this.#picture;
    return xPx < state.gutterPx ? undefined : stepDrawnAt(state, plotPx, xPx);
  }

  /** Marks a window over the rows of the earlier area, else over all; or removes the marked area. */
  markWindow(window: TimeWindow | null): void {
    const before = this.#marked;
    const isSame = before?.fromNs === window?.fromNs && before?.toNs === window?.toNs;
    const keys = isSame && before ? before.rows : [];
    const {spanNs, allRows} = this.#picture;
    this.#areas.mark(window && areaOverRows(spanNs, window, keys, allRows));
  }

  /** The current view of the profile. */
  get view(): StoredView {
    const {window, scrollPx, focusedRow, marks, measured, area} = this.#picture.state;
    const {filter} = this.#picture.layout;
    return {window, scrollPx, filter, focusedRow, selected: this.#selected, marks, measured, area};
  }

  #restore({scrollPx, focusedRow, marks, measured, selected}: StoredView): void {
    this.#picture.update({focusedRow, marks, measured});
    this.#picture.scrollTo(scrollPx);
    this.#selected = selected;
    if (selected) void this.#selection.restore(selected);
  }

  trackName(track: number): string {
    return this.#picture.trackName(track);
  }

  #resized(): void {
    const picture = this.#picture;
    picture.scrollTo(picture.state.scrollPx);
    // A view that is just being opened has no size when it receives its target.
    if (picture.state.highlighted.length > 0 && this.#selection.slice) picture.scrollToSlice(this.#selection.slice);
    this.#draw();
  }

  /** Requests the visible content if it is not available. */
  #ask(): void {
    const picture = this.#picture;
    if (!picture.profile || this.#sketched || picture.canvas.widthPx === 0) return;
    const {plotPx, visiblePx} = picture;
    const {rows, scrollPx, window, coloring, highlighted, answer} = picture.state;
    const sight = sightOf(rows, scrollPx, scrollPx + visiblePx);
    const wide = sightOf(rows, scrollPx - visiblePx / 2, scrollPx + visiblePx * 1.5);
    const told = {groupBy: groupingOf(coloring), lit: highlighted};
    this.#source.want({window, widthPx: plotPx, sight, wide, told});
    // The visible window comes first: the backdrop is for content that scrolls into view.
    if (answer) this.#path.want(window, picture.state.steps);
    if (answer) this.#backdrops.want(rows, picture.spanNs, told);
  }

  #draw(): void {
    const picture = this.#picture;
    if (!picture.profile || picture.canvas.widthPx === 0) return;
    this.#ask();
    if (this.#isHeld) return;
    const {plotPx, visiblePx} = picture;
    const {over} = this.#tip;
    if (over) picture.amend({hovered: this.#tip.at(picture.state, plotPx, over.xPx, over.yPx)});
    drawTimeline(picture.canvas.context, picture.state, picture.canvas, this.#theme);
    this.listener.drawn(picture.state, visiblePx);
  }

  /** Draws the shown profile, whatever data has arrived by now. */
  #letGo(): void {
    this.#isHeld = false;
    this.#picture.redraw();
  }

  #take({timeline, widthPx, sight}: Answer): void {
    this.#isHeld = false;
    this.#picture.update({answer: timeline, answerWidthPx: widthPx, answerSight: sight, hovered: null});
  }

  #selectionChanged(slice: SliceDetails | null, instant: InstantDetails | null): void {
    this.#selected = selectedOf(slice, instant);
    this.#picture.update({selectedSlice: slice?.slice ?? -1, selectedInstant: instant?.instant ?? -1, links: []});
    this.listener.selectionChanged(slice, instant, this.trackName(slice?.track ?? instant?.track ?? -1));
  }

  async #selectAndShow(slice: number, names: readonly string[]): Promise<readonly Hiding[]> {
    this.#rows.forgetChoice();
    this.#picture.highlight(names);
    const details = await this.#selection.selectSlice(slice);
    if (!details) return [];
    const hidBy = this.#picture.uncover(details);
    this.#picture.scrollToSlice(details);
    return hidBy;
  }
}

function selectedOf(slice: SliceDetails | null, instant: InstantDetails | null): StoredSelection | null {
  if (slice) return {kind: 'slice', row: slice.slice, name: slice.name, atNs: slice.startNs};
  return instant && {kind: 'instant', row: instant.instant, name: instant.name, atNs: instant.atNs};
}
