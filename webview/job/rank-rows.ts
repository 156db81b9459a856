import {formatDuration} from '../../src/core/format/duration.js';
import type {TimelineCalls} from '../../src/core/job/job-timeline.js';
import {mergedCalls, type TimelineWindow} from '../../src/core/job/timeline-window.js';
import {t} from '../shared/translate.js';

/** A window of time, ns on the first rank's clock. */
export interface Window {
  readonly fromNs: number;
  readonly toNs: number;
}

/** Where the rows of ranks are drawn. */
export interface RowLayout extends Window {
  readonly leftPx: number;
  readonly topPx: number;
  readonly rowHeightPx: number;
  readonly lanes: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

const leftPx = 64;
const topPx = 20;
const wholeHeightPx = 360;
/** Narrower marks are widened, so that they can be seen and clicked. */
export const leastMarkPx = 2;

/** Fits rows into a width: few rows are high; a thousand are thin, and the picture scrolls. */
export function rowLayout(rows: number, lanes: number, widthPx: number, {fromNs, toNs}: Window): RowLayout {
  const most = 16 + 8 * (lanes - 1);
  const rowHeightPx = Math.max(3, Math.min(most, Math.floor(wholeHeightPx / Math.max(1, rows))));
  const width = Math.max(leftPx + 10, widthPx);
  return {fromNs, toNs, leftPx, topPx, rowHeightPx, lanes, widthPx: width, heightPx: topPx + rows * rowHeightPx + 2};
}

/** Returns the x of a time. */
export function xOf(ns: number, {leftPx: left, widthPx, fromNs, toNs}: RowLayout): number {
  return left + ((ns - fromNs) / (toNs - fromNs)) * (widthPx - left);
}

/** Returns the time at an x. */
export function nsAt(xPx: number, {leftPx: left, widthPx, fromNs, toNs}: RowLayout): number {
  return fromNs + ((xPx - left) / (widthPx - left)) * (toNs - fromNs);
}

/** Returns the top and the height of a mark. */
export function placeOf(row: number, lane: number, layout: RowLayout): {yPx: number; heightPx: number} {
  const gapPx = layout.rowHeightPx >= 6 ? 2 : 0;
  const laneHeightPx = (layout.rowHeightPx - gapPx) / layout.lanes;
  return {yPx: layout.topPx + row * layout.rowHeightPx + lane * laneHeightPx, heightPx: laneHeightPx};
}

/** Returns the mark under a point; -1 for none. */
export function markAt({calls}: TimelineWindow, layout: RowLayout, xPx: number, yPx: number): number {
  return calls.row.findLastIndex((row, at) => {
    const {yPx: top, heightPx} = placeOf(row, calls.lane[at], layout);
    if (yPx < top || yPx >= top + heightPx) return false;
    const from = xOf(calls.startNs[at], layout);
    return xPx >= from && xPx <= Math.max(from + leastMarkPx, xOf(calls.endNs[at], layout));
  });
}

/** Returns the mark to which a key moves: along a rank, or to the same call of another rank; -1 for none. */
export function moveMark({calls}: TimelineWindow, from: number, key: string): number {
  if (calls.row.length === 0) return -1;
  if (from < 0) return 0;
  const row = calls.row[from];
  if (key === 'ArrowRight' || key === 'ArrowLeft') {
    const next = from + (key === 'ArrowRight' ? 1 : -1);
    return calls.row[next] === row ? next : from;
  }
  const other = key === 'ArrowDown' ? calls.row.find(one => one > row) : calls.row.findLast(one => one < row);
  return other === undefined ? from : sameCall(calls, from, other);
}

/** Returns another row's part in a mark's call; else its mark that ends nearest. */
function sameCall(calls: TimelineCalls, mark: number, row: number): number {
  const marks = [...calls.row.keys()].filter(at => calls.row[at] === row);
  const same = marks.find(at => calls.call[at] >= 0 && calls.call[at] === calls.call[mark]);
  const apartNs = (at: number) => Math.abs(calls.endNs[at] - calls.endNs[mark]);
  return same ?? marks.reduce((a, b) => (apartNs(b) < apartNs(a) ? b : a));
}

/** Returns a window narrowed or widened by a factor around a time, inside the whole. */
export function zoomed({fromNs, toNs}: Window, whole: Window, factor: number, aroundNs: number): Window {
  const width = Math.max(1000, Math.min(whole.toNs - whole.fromNs, (toNs - fromNs) * factor));
  const part = (aroundNs - fromNs) / (toNs - fromNs);
  return within({fromNs: aroundNs - part * width, toNs: aroundNs + (1 - part) * width}, whole);
}

/** Moves a window so that it stays inside the whole. */
export function within({fromNs, toNs}: Window, whole: Window): Window {
  const by = Math.max(whole.fromNs - fromNs, Math.min(0, whole.toNs - toNs));
  return {fromNs: fromNs + by, toNs: toNs + by};
}

/** Describes a mark: "Rank 1, all_reduce · group 0, from 34.1 ms: 12.0 ms, of which it waits 10.0 ms for rank 2." */
export function markText(
  {calls}: TimelineWindow,
  kinds: readonly string[],
  ranks: readonly number[],
  mark: number,
): string {
  const [row, call, startNs] = [calls.row[mark], calls.call[mark], calls.startNs[mark]];
  const tookNs = calls.endNs[mark] - startNs;
  const name = calls.kind[mark] < 0 ? t('several operations') : kinds[calls.kind[mark]];
  const place = t('Rank {0}, {1}, from {2}: {3}', ranks[row], name, formatDuration(startNs), formatDuration(tookNs));
  if (call === mergedCalls) return t('{0}, several calls. Zoom in to tell them apart.', place);
  if (call < 0) return t('{0}. No other rank here has a part in this call.', place);
  const waits = (at: number) => calls.waitNs[at];
  const last = [...calls.call.keys()]
    .filter(at => calls.call[at] === call)
    .reduce((a, b) => (waits(b) < waits(a) ? b : a));
  if (waits(mark) <= waits(last)) return t('{0}. This rank waits least.', place);
  return t(
    '{0}, of which it waits {1} for others; rank {2} waits least.',
    place,
    formatDuration(waits(mark)),
    ranks[calls.row[last]],
  );
}
