import {laneAt, rowAt} from '../../src/core/layout/timeline-rows.js';
import {markerPx} from './draw-points.js';
import {answerScale, headerPx, nsAt, type Hovered, type TimelineState} from './timeline-state.js';

/** How far from a narrow slice the mouse may be. */
const slackPx = 3;
/** A measured time snaps to a slice's edge within this distance. */
const snapPx = 6;

/** Returns the part of the answer at a place of the canvas; null for none. */
export function hitAt(state: TimelineState, plotPx: number, xPx: number, yPx: number): Hovered | null {
  const topPx = headerPx(state);
  if (!state.answer || yPx < topPx || xPx < state.gutterPx) return null;
  const rowsPx = yPx - topPx + state.scrollPx;
  const row = rowAt(state.rows, rowsPx);
  if (row?.kind === 'instants') return instantAt(state, plotPx, row.track.track, xPx - state.gutterPx);
  const place = laneAt(state.rows, rowsPx);
  return place ? blockAt(state, plotPx, place, xPx - state.gutterPx) : null;
}

function blockAt(
  state: TimelineState,
  plotPx: number,
  place: {track: number; lane: number},
  xPx: number,
): Hovered | null {
  const blocks = state.answer?.slices.blocks;
  if (!blocks) return null;
  const {scale, shiftPx} = answerScale(state, plotPx);
  let best = -1;
  let bestDistancePx = slackPx;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.track[block] !== place.track || blocks.lane[block] !== place.lane) continue;
    const leftPx = blocks.leftPx[block] * scale + shiftPx;
    const widthPx = Math.max(1, blocks.widthPx[block] * scale);
    const distancePx = xPx < leftPx ? leftPx - xPx : Math.max(0, xPx - leftPx - widthPx);
    if (distancePx >= bestDistancePx) continue;
    best = block;
    bestDistancePx = distancePx;
  }
  return best < 0 ? null : {kind: 'block', row: best};
}

function instantAt(state: TimelineState, plotPx: number, track: number, xPx: number): Hovered | null {
  const markers = state.answer?.instants.markers;
  if (!markers) return null;
  const {scale, shiftPx} = answerScale(state, plotPx);
  let best = -1;
  let bestDistancePx = markerPx + 1;
  for (let marker = 0; marker < markers.length; marker++) {
    if (markers.track[marker] !== track) continue;
    const distancePx = Math.abs(markers.atPx[marker] * scale + shiftPx - xPx);
    if (distancePx >= bestDistancePx) continue;
    best = marker;
    bestDistancePx = distancePx;
  }
  return best < 0 ? null : {kind: 'instant', row: best};
}

/** Returns the time at an x: that of a drawn slice's edge if one is near, else the exact time. */
export function snappedNs(state: TimelineState, plotPx: number, xPx: number): number {
  const plainNs = nsAt(state, plotPx, xPx);
  if (!state.answer) return plainNs;
  const {scale, shiftPx} = answerScale(state, plotPx);
  const {blocks, fromNs, toNs} = state.answer.slices;
  const nsPerAnswerPx = (toNs - fromNs) / state.answerWidthPx;
  let bestNs = plainNs;
  let bestDistancePx = snapPx;
  for (let block = 0; block < blocks.length; block++) {
    if (blocks.count[block] > 1) continue;
    for (const answerPx of [blocks.leftPx[block], blocks.leftPx[block] + blocks.widthPx[block]]) {
      const distancePx = Math.abs(state.gutterPx + answerPx * scale + shiftPx - xPx);
      if (distancePx >= bestDistancePx) continue;
      bestNs = fromNs + answerPx * nsPerAnswerPx;
      bestDistancePx = distancePx;
    }
  }
  return bestNs;
}
