import {fitAll, panBy, sane, zoomAt, type TimeWindow} from '../../src/core/base/time-window.js';
import {toggled} from '../../src/core/base/toggled.js';
import type {CounterSummary} from '../../src/core/layout/timeline-summary.js';
import type {SliceDetails} from '../../src/core/questions/slice-details.js';
import type {AreaDrags} from './area-drags.js';
import type {TimelineActions} from './gestures.js';
import {hitAt} from './hit-test.js';
import type {HoverTip} from './hover-tip.js';
import {mergedInstantsText, mergedSlicesText, type MergedText} from './merged-text.js';
import type {PathSource} from './path-source.js';
import type {Picture} from './picture.js';
import type {RowActions} from './row-actions.js';
import type {Selection} from './selection.js';
import {nextStep, stepAt, stepDrawnAt} from './step-places.js';
import type {TimelineListener} from './timeline-listener.js';
import {
  emptyState,
  foldPx,
  headerPx,
  nextColoring,
  nsAt,
  overviewNsAt,
  overviewPx,
  pinPx,
  rulerPx,
} from './timeline-state.js';

/** The parts of a timeline that gestures act on. */
export interface TimelineParts {
  readonly picture: Picture;
  readonly selection: Selection;
  readonly rows: RowActions;
  readonly areas: AreaDrags;
  readonly tip: HoverTip;
  readonly path: PathSource;
  readonly listener: TimelineListener;
  /** Selects a slice and scrolls to it. @param from the other end of a flow, which stays visible */
  readonly goTo: (slice: SliceDetails, from?: SliceDetails) => void;
}

/** Returns the actions of keys and the mouse. */
export function timelineActions(parts: TimelineParts): TimelineActions {
  const {picture, selection, rows, areas, tip, path, listener} = parts;
  return {
    zoom: (factor, xPx) => {
      const fraction = xPx === null ? 0.5 : (xPx - picture.state.gutterPx) / picture.plotPx;
      picture.show(zoomAt(picture.state.window, Math.min(1, Math.max(0, fraction)), factor, picture.spanNs));
    },
    pan: fraction => picture.show(panBy(picture.state.window, fraction, picture.spanNs)),
    scroll: px => picture.scrollTo(picture.state.scrollPx + px),
    fitAll: () => picture.show(fitAll(picture.spanNs)),
    fitSelection: () => fitSelection(parts),
    clear: () => goBack(parts),
    hover: (xPx, yPx) => {
      tip.moveTo(xPx, yPx);
      listener.pointed(xPx < picture.state.gutterPx ? null : nsAt(picture.state, picture.plotPx, xPx));
      picture.update({hoveredRow: xPx < picture.state.gutterPx ? (picture.rowAt(yPx)?.key ?? '') : ''});
    },
    leave: () => {
      tip.leave();
      listener.pointed(selection.slice?.startNs ?? null);
      picture.update({hovered: null, hoveredRow: ''});
    },
    click: (xPx, yPx) => clickAt(parts, xPx, yPx),
    dragFrom: (xPx, yPx) => {
      areas.begin(xPx, yPx);
      tip.leave();
    },
    dragTo: (xPx, yPx) => areas.moveTo(xPx, yPx),
    endDrag: () => areas.end(),
    cancelDrag: () => areas.cancel(),
    neighbour: direction => void goToNeighbour(parts, direction),
    follow: direction => void follow(parts, direction),
    mark: () => picture.update({marks: [...toggled(picture.state.marks, markNs(parts))]}),
    markArea: () => areas.markWindow(selectedNs(selection) ?? picture.state.window),
    step: direction =>
      picture.fitStep(nextStep(picture.state.steps, listener.stepFrom(picture.state.window), direction)),
    fitStep: () => picture.fitStep(stepAt(picture.state.steps, markNs(parts))),
    focusRow: direction => rows.focus(direction),
    moveRow: direction => rows.move(direction),
    foldRow: () => rows.fold(),
    pinRow: () => rows.pin(),
    recolor: () => recolor(picture),
    togglePath: () => path.toggle(),
    search: () => listener.searchWanted(),
    help: () => listener.helpWanted(),
  };
}

/** Switches to the next colouring. */
export function recolor(picture: Picture): void {
  picture.arrange(picture.layout, nextColoring(picture.state.coloring, picture.profile?.info.processes ?? 1));
}

function clickAt(parts: TimelineParts, xPx: number, yPx: number): void {
  const {picture, rows} = parts;
  if (yPx < headerPx(picture.state)) {
    if (xPx >= picture.state.gutterPx) clickHeader(picture, xPx, yPx);
    return;
  }
  const row = picture.rowAt(yPx);
  if (row?.kind === 'group') rows.fold(row.key);
  else if (row && xPx < picture.state.gutterPx) {
    if (xPx >= picture.state.gutterPx - pinPx) rows.pin(row);
    else if (xPx < foldPx + 12 && row.kind === 'track') rows.fold(row.key);
  } else {
    selectAt(parts, xPx, yPx);
    if (row?.kind === 'counter') chooseCounter(parts, row.counter, xPx);
  }
}

/** Memory has a view of its own; other counters are shown in place. */
function chooseCounter({picture, listener}: TimelineParts, counter: CounterSummary, xPx: number): void {
  const isMemory = /^(?:CUDA memory|Memory) (?:allocated|reserved)/.test(counter.name);
  if (isMemory) listener.memoryChosen(counter, nsAt(picture.state, picture.plotPx, xPx));
}

/** A click in the overview moves there; a click on a step fits the step. The ruler only takes drags. */
function clickHeader(picture: Picture, xPx: number, yPx: number): void {
  const {state, plotPx} = picture;
  if (yPx < overviewPx) showAround(picture, overviewNsAt(state, plotPx, xPx));
  else if (yPx >= overviewPx + rulerPx) picture.fitStep(stepDrawnAt(state, plotPx, xPx));
}

function showAround(picture: Picture, middleNs: number): void {
  const {fromNs, toNs} = picture.state.window;
  const halfNs = (toNs - fromNs) / 2;
  picture.show(sane({fromNs: middleNs - halfNs, toNs: middleNs + halfNs}, picture.spanNs));
}

function selectAt(parts: TimelineParts, xPx: number, yPx: number): void {
  const {picture, selection} = parts;
  const hit = hitAt(picture.state, picture.plotPx, xPx, yPx);
  const {answer} = picture.state;
  picture.update({highlighted: emptyState.highlighted, focusedRow: ''});
  if (!hit || !answer) {
    selection.clear();
  } else if (hit.kind === 'instant') {
    const {markers} = answer.instants;
    if (markers.count[hit.row] === 1) void selection.selectInstant(markers.instant[hit.row]);
    else tellMerged(parts, mergedInstantsText(answer.instants, hit.row));
  } else {
    const {blocks} = answer.slices;
    if (blocks.count[hit.row] === 1) void selection.selectSlice(blocks.slice[hit.row]);
    else tellMerged(parts, mergedSlicesText(answer.slices, hit.row));
  }
}

/** A merged mark cannot be selected, so its description is shown instead. */
function tellMerged({selection, listener}: TimelineParts, {title, lines}: MergedText): void {
  selection.clear();
  listener.mergedChosen([title, ...lines].join(' · '));
}

/**
 * Goes to the next slice on the lane of the selection; on a row just focused by keys, first to the visible slice there.
 */
async function goToNeighbour({picture, rows, selection, goTo}: TimelineParts, direction: -1 | 1): Promise<void> {
  const row = rows.takeJustChosen();
  const {fromNs, toNs} = picture.state.window;
  const edgeNs = direction > 0 ? fromNs : toNs;
  const selectedAtNs = selection.slice?.startNs ?? edgeNs;
  const atNs = selectedAtNs >= fromNs && selectedAtNs <= toNs ? selectedAtNs : edgeNs;
  const next =
    row?.kind === 'track'
      ? await selection.onLane({track: row.track.track, lane: row.section.firstLane, atNs}, direction)
      : await selection.neighbour(direction);
  if (next) goTo(next);
}

async function follow({selection, goTo}: TimelineParts, direction: -1 | 1): Promise<void> {
  const from = selection.slice;
  const end = await selection.followed(direction);
  if (end) goTo(end, from ?? undefined);
}

function fitSelection({picture, selection}: TimelineParts): void {
  const shown = picture.state.area ?? selectedNs(selection);
  if (shown) picture.fit(shown);
  else picture.show(fitAll(picture.spanNs));
}

/** Returns the time of the selected slice. */
function selectedNs({slice}: Pick<Selection, 'slice'>): TimeWindow | null {
  return slice && {fromNs: slice.startNs, toNs: slice.startNs + slice.durationNs};
}

/** Returns the start of the selection, else the middle of the window. */
function markNs({picture, selection}: TimelineParts): number {
  const {fromNs, toNs} = picture.state.window;
  return selection.slice?.startNs ?? (fromNs + toNs) / 2;
}

/** Removes one thing at a time: the list of keys, a row drag, the marked area, the measured time, the selection. */
function goBack({picture, selection, areas, listener}: TimelineParts): void {
  const {drop, area, measured, highlighted, focusedRow, selectedInstant} = picture.state;
  const hasChosen = Math.max(selection.chosen, selectedInstant) >= 0 || highlighted.length > 0 || focusedRow !== '';
  if (listener.closeHelp()) return;
  if (drop) areas.cancel();
  else if (area) areas.mark(null);
  else if (measured) picture.update({measured: null});
  else {
    picture.update({highlighted: emptyState.highlighted, focusedRow: ''});
    selection.clear();
    if (!hasChosen) listener.nothingToClear();
  }
}
