import {laneHeightPx, laneTopPx, type TimelineRow, type TrackRow} from '../../src/core/layout/timeline-rows.js';
import type {Sight} from './slice-source.js';
import {xOf, type TimelineState} from './timeline-state.js';

/** A part of the rows; `leftPx` is on the canvas, `topPx` is from the top of the first row. */
export interface Uncovered {
  readonly leftPx: number;
  readonly topPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

/**
 * Returns the visible parts of the rows that the answer does not cover: times outside its window, and rows that it does
 * not include.
 */
export function uncoveredParts(state: TimelineState, rows: readonly TimelineRow[], plotPx: number): Uncovered[] {
  const {answer, answerSight} = state;
  const [left, right] = [state.gutterPx, state.gutterPx + plotPx];
  const inside = (ns: number) => Math.min(right, Math.max(left, xOf(state, plotPx, ns)));
  const fromX = answer ? inside(answer.slices.fromNs) : right;
  const toX = answer ? inside(answer.slices.toNs) : right;
  return rows.flatMap(row => {
    if (row.kind === 'group') return [];
    const part = (leftPx: number, rightPx: number, topPx: number, bottomPx: number) =>
      rightPx > leftPx && bottomPx > topPx
        ? [{leftPx, topPx, widthPx: rightPx - leftPx, heightPx: bottomPx - topPx}]
        : [];
    const bottomPx = row.topPx + row.heightPx;
    const [knownPx, knownToPx] = answer ? knownBetween(row, answerSight) : [bottomPx, bottomPx];
    return [
      ...part(left, fromX, knownPx, knownToPx),
      ...part(toX, right, knownPx, knownToPx),
      ...part(left, right, row.topPx, knownPx),
      ...part(left, right, knownToPx, bottomPx),
    ];
  });
}

/** Returns the heights between which an answer covers a row. @param sight of the answer, null for all rows */
function knownBetween(row: Exclude<TimelineRow, {kind: 'group'}>, sight: Sight | null): readonly [number, number] {
  const {topPx, heightPx} = row;
  const [all, none] = [[topPx, topPx + heightPx] as const, [topPx, topPx] as const];
  if (!sight) return all;
  switch (row.kind) {
    case 'instants':
      return sight.instants.includes(row.track.track) ? all : none;
    case 'counter':
      return sight.counters.includes(row.counter.counter) ? all : none;
    case 'track':
      return lanesKnown(row, sight) ?? none;
  }
}

function lanesKnown(row: TrackRow, {lanes}: Sight): readonly [number, number] | null {
  const {track, section, laneCount, topPx, heightPx} = row;
  const lastLane = section.firstLane + laneCount;
  const known = lanes.find(
    own => own.track === track.track && own.firstLane < lastLane && own.endLane > section.firstLane,
  );
  if (!known) return null;
  const fromPx = known.firstLane <= section.firstLane ? topPx : laneTopPx(row, known.firstLane);
  const toPx = known.endLane >= lastLane ? topPx + heightPx : laneTopPx(row, known.endLane - 1) + laneHeightPx;
  return [fromPx, toPx];
}

/** Draws the backdrop where the answer has no data: coarse, until the engine has answered. */
export function drawBackdrop(
  context: CanvasRenderingContext2D,
  state: TimelineState,
  rows: readonly TimelineRow[],
  plotPx: number,
  draw: (state: TimelineState) => void,
): void {
  const {backdrop} = state;
  const parts = backdrop ? uncoveredParts(state, rows, plotPx) : [];
  if (!backdrop || parts.length === 0) return;
  context.save();
  context.beginPath();
  for (const {leftPx, topPx, widthPx, heightPx} of parts) context.rect(leftPx, topPx, widthPx, heightPx);
  context.clip();
  const {timeline: answer, widthPx: answerWidthPx} = backdrop;
  draw({...state, answer, answerWidthPx, hovered: null});
  context.restore();
}
