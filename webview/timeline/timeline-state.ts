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

/** Sizes in CSS pixels; the gutter is narrower if there is no room. */
export const gutterPx = 190;
const leastGutterPx = 72;
/** In a narrow view, time has the larger part. */
const mostGutterShare = 0.3;
export const overviewPx = 20;
export const rulerPx = 20;
export const stepsPx = 14;
/** Places in the gutter that fold and pin a row. */
export const foldPx = 18;
export const pinPx = 20;

/** The choices for the colours of blocks. */
export const colorings = ['class', 'name', ...sliceGroupings] as const;
export type Coloring = (typeof colorings)[number];

/** Longer lists of names, which every request would repeat, are not highlighted. */
export const mostHighlighted = 2000;

/** Returns the names to highlight; equal names keep the same list. */
export function highlightedAs(before: readonly string[], names: readonly string[]): readonly string[] {
  if (names.length === 0 || names.length > mostHighlighted) return emptyState.highlighted;
  const isSame = names.length === before.length && names.every((name, at) => name === before[at]);
  return isSame ? before : names;
}

/** Returns the grouping that the engine must apply for a colouring. */
export function groupingOf(coloring: Coloring): SliceGrouping | null {
  return sliceGroupings.find(grouping => grouping === coloring) ?? null;
}

/** Returns the next colouring; the one by rank is offered if there are several ranks. */
export function nextColoring(coloring: Coloring, processes: number): Coloring {
  const offered = colorings.filter(one => one !== 'rank' || processes > 1);
  return offered[(offered.indexOf(coloring) + 1) % offered.length];
}

/** A time marked over some rows; it follows these rows when they are moved. */
export interface Area extends TimeWindow {
  /** Keys of the rows without headings; empty for all rows. */
  readonly rows: readonly string[];
}

/** Everything that determines the picture. */
export interface TimelineState {
  readonly spanNs: number;
  readonly rows: TimelineRows;
  readonly steps: readonly Step[];
  readonly activity: readonly Activity[];
  readonly window: TimeWindow;
  readonly scrollPx: number;
  /** Width of the rows' names. */
  readonly gutterPx: number;
  /** The engine's latest answer, drawn scaled until the one for the current window arrives. */
  readonly answer: VisibleTimeline | null;
  /** The width of the answer's window in pixels. */
  readonly answerWidthPx: number;
  /** The rows that the answer covers, null for all. */
  readonly answerSight: Sight | null;
  /** The whole trace in a coarse form, drawn where the answer has no data. */
  readonly backdrop: Pick<Answer, 'timeline' | 'widthPx'> | null;
  readonly hovered: Hovered | null;
  /** Row of the gutter under the mouse, whose pin is shown. */
  readonly hoveredRow: string;
  /** The row that keys act on, '' for that of the selection. */
  readonly focusedRow: string;
  readonly selectedSlice: number;
  readonly selectedInstant: number;
  readonly links: readonly SliceLink[];
  /** The critical path; null for none. */
  readonly path: PathPicture | null;
  /**
   * Names of highlighted ranges, including everything that counts as theirs; the rest is dimmed. Empty for none. The
   * list changes only if the names do: each frame compares it by identity.
   */
  readonly highlighted: readonly string[];
  readonly coloring: Coloring;
  readonly area: Area | null;
  /** A row that is being dragged, and where it would be placed. */
  readonly drop: {readonly row: TimelineRow; readonly place: RowPlace} | null;
  /** The time measured on the ruler. */
  readonly measured: TimeWindow | null;
  /** The cursor of linked timelines, ns; null for none. */
  readonly cursorNs: number | null;
  /** Marked times, ns. */
  readonly marks: readonly number[];
}

/** A part of the answer, by its row there. */
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

/** Returns the width of the rows' names beside the plot, in a view of a given width. */
export function gutterOf(widthPx: number): number {
  return Math.min(gutterPx, Math.max(leastGutterPx, Math.round(widthPx * mostGutterShare)));
}

/** Returns the height of the parts above the rows: overview, ruler, steps. */
export function headerPx({steps}: Pick<TimelineState, 'steps'>): number {
  return overviewPx + rulerPx + (steps.length > 0 ? stepsPx : 0);
}

/**
 * Returns the conversion from pixels of an answer to pixels of the screen, from the gutter's right edge: `left * scale
 * + shift`.
 */
export function answerScale(
  {answer, answerWidthPx, window}: Pick<TimelineState, 'answer' | 'answerWidthPx' | 'window'>,
  plotPx: number,
): {readonly scale: number; readonly shiftPx: number} {
  if (!answer) return {scale: 1, shiftPx: 0};
  const {fromNs, toNs} = answer.slices;
  const pxPerNs = plotPx / (window.toNs - window.fromNs);
  return {scale: ((toNs - fromNs) / answerWidthPx) * pxPerNs, shiftPx: (fromNs - window.fromNs) * pxPerNs};
}

/** Returns the x of a time on the canvas. */
export function xOf(
  {window, gutterPx}: Pick<TimelineState, 'window' | 'gutterPx'>,
  plotPx: number,
  ns: number,
): number {
  return gutterPx + ((ns - window.fromNs) / (window.toNs - window.fromNs)) * plotPx;
}

/** Returns the time at an x of the canvas. */
export function nsAt(
  {window, gutterPx}: Pick<TimelineState, 'window' | 'gutterPx'>,
  plotPx: number,
  xPx: number,
): number {
  return window.fromNs + ((xPx - gutterPx) / plotPx) * (window.toNs - window.fromNs);
}

/** Returns the time at an x of the overview, which shows the whole trace. */
export function overviewNsAt(
  {spanNs, gutterPx}: Pick<TimelineState, 'spanNs' | 'gutterPx'>,
  plotPx: number,
  xPx: number,
): number {
  return Math.min(spanNs, Math.max(0, ((xPx - gutterPx) / plotPx) * spanNs));
}
