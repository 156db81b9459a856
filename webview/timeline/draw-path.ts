import {laneHeightPx, laneTopPx, rowOfLane} from '../../src/core/layout/timeline-rows.js';
import type {Theme} from '../shared/theme.js';
import {xOf, type TimelineState} from './timeline-state.js';

/** Height of the line below a slice on the path. */
export const pathPx = 4;
const waitAlpha = 0.7;

/** Draws the critical path: a thick line below its slices, and thin lines to the slices that waited for them. */
export function drawPath(context: CanvasRenderingContext2D, state: TimelineState, plotPx: number, theme: Theme): void {
  if (!state.path) return;
  const {length, track, lane, fromNs, toNs} = state.path.stretches;
  const {window, gutterPx} = state;
  const bottoms = new Map<string, number>();
  const bottomOf = (at: number) => {
    const key = `${String(track[at])} ${String(lane[at])}`;
    const bottom = bottoms.get(key) ?? laneBottom(state, track[at], lane[at]);
    bottoms.set(key, bottom);
    return bottom;
  };
  context.fillStyle = theme.path;
  context.strokeStyle = theme.path;
  context.lineWidth = 1;
  for (let at = 0; at < length; at++) {
    const nextNs = at + 1 < length ? fromNs[at + 1] : toNs[at];
    if (Math.max(toNs[at], nextNs) < window.fromNs || fromNs[at] > window.toNs) continue;
    const left = Math.max(gutterPx, xOf(state, plotPx, fromNs[at]));
    const right = Math.min(gutterPx + plotPx, xOf(state, plotPx, toNs[at]));
    const bottom = bottomOf(at);
    if (right >= left && !Number.isNaN(bottom)) {
      context.fillRect(left, bottom - pathPx, Math.max(1, right - left), pathPx);
    }
    if (at + 1 < length)
      drawWait(context, [xOf(state, plotPx, toNs[at]), bottom], [xOf(state, plotPx, nextNs), bottomOf(at + 1)]);
  }
}

type Point = readonly [xPx: number, yPx: number];

function drawWait(context: CanvasRenderingContext2D, from: Point, to: Point): void {
  // One end is in a row that is not shown.
  if (Number.isNaN(from[1]) || Number.isNaN(to[1])) return;
  context.globalAlpha = waitAlpha;
  context.beginPath();
  context.moveTo(from[0], from[1] - pathPx / 2);
  context.lineTo(to[0], to[1] - pathPx / 2);
  context.stroke();
  context.globalAlpha = 1;
}

/** Returns the bottom of a lane's slices; in a folded row, that of its only lane; NaN if no row shows it. */
function laneBottom({rows}: TimelineState, track: number, lane: number): number {
  const row = rowOfLane(rows, track, lane);
  if (!row) return NaN;
  return laneTopPx(row, row.isFolded ? row.section.firstLane : lane) + laneHeightPx - 2;
}
