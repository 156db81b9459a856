import {placeAt} from '../../src/core/layout/row-order.js';
import {sane, type TimeWindow} from '../../src/core/layout/time-window.js';
import {rowAt} from '../../src/core/layout/timeline-rows.js';
import {snappedNs} from './hit-test.js';
import {gutterPx, headerPx, nsAt, overviewNsAt, overviewPx, rulerPx, type TimelineState} from './timeline-state.js';

/** What a drag does, by where it began. */
export type DragKind = 'brush' | 'measure' | 'area' | 'row' | 'none';

/** What a drag does that begins at a place of the canvas. */
export function dragKindAt(state: TimelineState, xPx: number, yPx: number): DragKind {
  if (xPx < gutterPx) return yPx < headerPx(state) ? 'none' : 'row';
  if (yPx < overviewPx) return 'brush';
  if (yPx < overviewPx + rulerPx) return 'measure';
  return yPx < headerPx(state) ? 'none' : 'area';
}

interface Place {
  readonly xPx: number;
  readonly yPx: number;
}

/** What a drag from one place to another changes. */
export function dragged(
  state: TimelineState,
  plotPx: number,
  kind: DragKind,
  from: Place,
  to: Place,
): Partial<TimelineState> {
  switch (kind) {
    case 'brush': {
      const ends = ordered(overviewNsAt(state, plotPx, from.xPx), overviewNsAt(state, plotPx, to.xPx));
      return ends.toNs > ends.fromNs ? {window: sane(ends, state.spanNs)} : {};
    }
    case 'measure':
      return {measured: ordered(snappedNs(state, plotPx, from.xPx), snappedNs(state, plotPx, to.xPx))};
    case 'area':
      return {area: areaBetween(state, plotPx, from, to)};
    case 'row':
      return {drop: dropAt(state, from, to)};
    default:
      return {};
  }
}

/** Where the row that a drag began at would be put. */
function dropAt(state: TimelineState, from: Place, to: Place): TimelineState['drop'] {
  const rowsPx = (yPx: number) => yPx - headerPx(state) + state.scrollPx;
  const row = rowAt(state.rows, rowsPx(from.yPx));
  const place = row && placeAt(state.rows, row, rowsPx(to.yPx));
  return place && {row, place};
}

function areaBetween(state: TimelineState, plotPx: number, from: Place, to: Place): TimelineState['area'] {
  const rowsPx = (yPx: number) => Math.max(0, yPx - headerPx(state)) + state.scrollPx;
  const inside = (ns: number) => Math.min(state.spanNs, Math.max(0, ns));
  const {fromNs, toNs} = ordered(nsAt(state, plotPx, from.xPx), nsAt(state, plotPx, to.xPx));
  // Whole rows: half a row says nothing that the row does not.
  const [lowPx, highPx] = [rowsPx(from.yPx), rowsPx(to.yPx)].sort((a, b) => a - b);
  const touched = state.rows.rows.filter(row => row.topPx < highPx && row.topPx + row.heightPx > lowPx);
  const first = touched.at(0);
  const last = touched.at(-1);
  if (!first || !last) return null;
  return {
    fromNs: Math.round(inside(fromNs)),
    toNs: Math.round(inside(toNs)),
    topPx: first.topPx,
    bottomPx: last.topPx + last.heightPx,
  };
}

function ordered(a: number, b: number): TimeWindow {
  return a <= b ? {fromNs: a, toNs: b} : {fromNs: b, toNs: a};
}
