import {placeAt} from '../../src/core/layout/row-order.js';
import {sane, type TimeWindow} from '../../src/core/base/time-window.js';
import {rowAt} from '../../src/core/layout/timeline-rows.js';
import {keysOf} from './area-place.js';
import {snappedNs} from './hit-test.js';
import {headerPx, nsAt, overviewNsAt, overviewPx, rulerPx, type TimelineState} from './timeline-state.js';

/** The action of a drag, which depends on where it began. */
type DragKind = 'brush' | 'measure' | 'area' | 'row' | 'none';

/** Where a drag began, in the trace: the wheel may move the content under that place of the canvas. */
export interface DragStart {
  readonly kind: DragKind;
  readonly ns: number;
  /** From the top of the first row. */
  readonly rowsPx: number;
}

interface Place {
  readonly xPx: number;
  readonly yPx: number;
}

/** Returns the action of a drag that begins at a place of the canvas. */
export function dragStart(state: TimelineState, plotPx: number, {xPx, yPx}: Place): DragStart {
  const kind = dragKindAt(state, xPx, yPx);
  return {kind, ns: nsOf(state, plotPx, kind, xPx), rowsPx: rowsPxAt(state, yPx)};
}

function dragKindAt(state: TimelineState, xPx: number, yPx: number): DragKind {
  if (xPx < state.gutterPx) return yPx < headerPx(state) ? 'none' : 'row';
  if (yPx < overviewPx) return 'brush';
  if (yPx < overviewPx + rulerPx) return 'measure';
  return yPx < headerPx(state) ? 'none' : 'area';
}

/** Returns the time at an x for a drag of a kind. */
function nsOf(state: TimelineState, plotPx: number, kind: DragKind, xPx: number): number {
  if (kind === 'brush') return overviewNsAt(state, plotPx, xPx);
  return kind === 'measure' ? snappedNs(state, plotPx, xPx) : nsAt(state, plotPx, xPx);
}

function rowsPxAt(state: TimelineState, yPx: number): number {
  return Math.max(0, yPx - headerPx(state)) + state.scrollPx;
}

/** Returns what a drag to a place of the canvas changes. */
export function dragged(state: TimelineState, plotPx: number, start: DragStart, to: Place): Partial<TimelineState> {
  const {kind, ns} = start;
  const ends = ordered(ns, nsOf(state, plotPx, kind, to.xPx));
  switch (kind) {
    case 'brush':
      return ends.toNs > ends.fromNs ? {window: sane(ends, state.spanNs)} : {};
    case 'measure':
      return {measured: ends};
    case 'area':
      return {area: areaBetween(state, ends, start.rowsPx, rowsPxAt(state, to.yPx))};
    case 'row':
      return {drop: dropAt(state, start.rowsPx, to.yPx - headerPx(state) + state.scrollPx)};
    default:
      return {};
  }
}

/** Returns where the dragged row would be placed. */
function dropAt(state: TimelineState, fromPx: number, toPx: number): TimelineState['drop'] {
  const row = rowAt(state.rows, fromPx);
  const place = row && placeAt(state.rows, row, toPx);
  return place && {row, place};
}

function areaBetween(
  state: TimelineState,
  {fromNs, toNs}: TimeWindow,
  aPx: number,
  bPx: number,
): TimelineState['area'] {
  const inside = (ns: number) => Math.min(state.spanNs, Math.max(0, ns));
  // Only whole rows: half a row shows nothing more.
  const [lowPx, highPx] = [aPx, bPx].sort((a, b) => a - b);
  const touched = state.rows.rows.filter(row => row.topPx < highPx && row.topPx + row.heightPx > lowPx);
  if (touched.length === 0) return null;
  return {fromNs: Math.round(inside(fromNs)), toNs: Math.round(inside(toNs)), rows: keysOf(touched)};
}

function ordered(a: number, b: number): TimeWindow {
  return a <= b ? {fromNs: a, toNs: b} : {fromNs: b, toNs: a};
}
