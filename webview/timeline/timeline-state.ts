import type {TimeWindow} from '../../src/core/base/time-window.js';
import {sliceGroupings, type SliceGrouping} from '../../src/core/layout/slice-groups.js';
import type {RowPlace} from '../../src/core/layout/row-order.js';
import type {TimelineRow, TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {VisibleTimeline} from '../../src/core/layout/visible-timeline.js';
import type {Activity} from '../../src/core/questions/activity.js';
import type {PathPicture} from '../../src/core/what-if/recorded/path-at.js';
import type {SliceLink} from '../../src/core/questions/slice-links.js';
import type {Step} from '../../src/core/scope/steps.js';
import type {Answer, Sight} from './slice-source.js';

/** Sizes in CSS pixels; of the gutter where there is room. */
export const gutterPx = 190;
const leastGutterPx = 72;
/** In a narrow view time has the larger part. */
const mostGutterShare = 0.3;
export const overviewPx = 20;
export const rulerPx = 20;
export const stepsPx = 14;
/** Places in the gutter that fold and pin a row. */
export const foldPx = 18;
export const pinPx = 20;

/** What blocks are coloured by. */
export const colorings = ['class', 'name', ...sliceGroupings] as const;
export type Coloring = (typeof colorings)[number];

/** More names than this, which every question would repeat, do not stand out. */
export const mostHighlighted = 2000;

/** What lets ranges of some names stand out; names known already are the same list as before. */
export function highlightedAs(before: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.length > mostHighlighted) return emptyState.highlighted;
  const isSame = names.length === before.length && names.every((name, at) => name === before[at]);
  return isSame ? before : names;
}

/** What the engine must tell of blocks for a colouring. */
export function groupingOf(coloring: Coloring): SliceGrouping | null {
  return sliceGroupings.find(grouping => grouping === coloring) ?? null;
}

/** The colouring after another; ranks are told apart where there are several. */
export function nextColoring(coloring: Coloring, processes: number): Coloring {
  const offered = colorings.filter(one => one !== 'rank' || processes > 1);
  return offered[(offered.indexOf(coloring) + 1) % offered.length];
}

/** A time that was marked over some rows: it lies over these wherever they are put. */
export interface Area extends TimeWindow {
  /** Keys of the rows, headings left out; none: over all. */
  readonly rows: readonly string[];
}

/** Everything that decides the picture. */
export interface TimelineState {
  readonly spanNs: number;
  readonly rows: TimelineRows;
  readonly steps: readonly Step[];
  readonly activity: readonly Activity[];
  readonly window: TimeWindow;
  readonly scrollPx: number;
  /** Width of the names of rows. */
  readonly gutterPx: number;
  /** The engine's last answer: drawn scaled until the one for the present window comes. */
  readonly answer: VisibleTimeline | null;
  /** How many pixels wide the answer's window was. */
  readonly answerWidthPx: number;
  /** The rows that the answer is about, null for all. */
  readonly answerSight: Sight | null;
  /** The whole trace, coarse: drawn where the answer says nothing. */
  readonly backdrop: Pick<Answer, 'timeline' | 'widthPx'> | null;
  readonly hovered: Hovered | null;
  /** Row of the gutter under the mouse: its pin is shown. */
  readonly hoveredRow: string;
  /** The row that keys act on, '' for that of the selection. */
  readonly focusedRow: string;
  readonly selectedSlice: number;
  readonly selectedInstant: number;
  readonly links: readonly SliceLink[];
  /** The critical path that is drawn; null for none. */
  readonly path: PathPicture | null;
  /**
   * Names of ranges that stand out with all that counts for them; the rest is dimmed. Empty: all alike. The list is the
   * same one as long as the names are: each frame compares it.
   */
  readonly highlighted: readonly string[];
  readonly coloring: Coloring;
  readonly area: Area | null;
  /** A row that is being dragged, and where it would be put. */
  readonly drop: {readonly row: TimelineRow; readonly place: RowPlace} | null;
  /** What was measured on the ruler. */
  readonly measured: TimeWindow | null;
  /** Where the cursor of linked timelines is, ns; null for nowhere. */
  readonly cursorNs: number | null;
  /** Times that were marked, ns. */
  readonly marks: readonly number[];
}

/** Something of the answer, by its row there. */
export interface Hovered {
  readonly kind: 'block' | 'instant';
  readonly row: number;
}

export const emptyState: TimelineState = {
  spanNs: 0,
  rows: {rows: [], heightPx: 0},
  steps: [],
  activity: [],
  window: {fromNs: 0, toNs: 1},
  scrollPx: 0,
  gutterPx,
  answer: null,
  answerWidthPx: 1,
  answerSight: null,
  backdrop: null,
  hovered: null,
  hoveredRow: '',
  focusedRow: '',
  selectedSlice: -1,
  selectedInstant: -1,
  links: [],
  path: null,
  highlighted: [],
  coloring: 'class',
  area: null,
  drop: null,
  measured: null,
  cursorNs: null,
  marks: [],
};

/** How wide the names of rows are beside the plot, in a view of a width. */
export function gutterOf(widthPx: number): number {
  return Math.min(gutterPx, Math.max(leastGutterPx, Math.round(widthPx * mostGutterShare)));
}

/** Height of what stands above the rows: overview, ruler, steps. */
export function headerPx({steps}: Pick<TimelineState, 'steps'>): number {
  return overviewPx + rulerPx + (steps.length > 0 ? stepsPx : 0);
}

/** From pixels of an answer to pixels of the screen, from the gutter's right edge: `left * scale + shift`. */
export function answerScale(
  {answer, answerWidthPx, window}: Pick<TimelineState, 'answer' | 'answerWidthPx' | 'window'>,
  plotPx: number,
): {readonly scale: number; readonly shiftPx: number} {
  if (!answer) return {scale: 1, shiftPx: 0};
  const {fromNs, toNs} = answer.slices;
  const pxPerNs = plotPx / (window.toNs - window.fromNs);
  return {scale: ((toNs - fromNs) / answerWidthPx) * pxPerNs, shiftPx: (fromNs - window.fromNs) * pxPerNs};
}

/** The x of a time on the canvas. */
export function xOf(
  {window, gutterPx}: Pick<TimelineState, 'window' | 'gutterPx'>,
  plotPx: number,
  ns: number,
): number {
  return gutterPx + ((ns - window.fromNs) / (window.toNs - window.fromNs)) * plotPx;
}

/** The time at an x of the canvas. */
export function nsAt(
  {window, gutterPx}: Pick<TimelineState, 'window' | 'gutterPx'>,
  plotPx: number,
  xPx: number,
): number {
  return window.fromNs + ((xPx - gutterPx) / plotPx) * (window.toNs - window.fromNs);
}

/** The time at an x of the overview, which shows the whole trace. */
export function overviewNsAt(
  {spanNs, gutterPx}: Pick<TimelineState, 'spanNs' | 'gutterPx'>,
  plotPx: number,
  xPx: number,
): number {
  return Math.min(spanNs, Math.max(0, ((xPx - gutterPx) / plotPx) * spanNs));
}
