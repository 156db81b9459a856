import type {TrackSummary} from '../queries/tracks.js';

/** Heights in CSS pixels. */
export const laneHeightPx = 18;
export const groupHeightPx = 24;
const trackPaddingPx = 4;

/** A heading, or a track with its lanes; `topPx` counts from the top of the first row. */
export type TimelineRow =
  | {readonly kind: 'group'; readonly topPx: number; readonly heightPx: number; readonly label: string}
  | {readonly kind: 'track'; readonly topPx: number; readonly heightPx: number; readonly track: TrackSummary};

export interface TimelineRows {
  readonly rows: readonly TimelineRow[];
  readonly heightPx: number;
}

/** Stacks the tracks from top to bottom, with a heading wherever the group changes. */
export function timelineRows(tracks: readonly TrackSummary[]): TimelineRows {
  const rows: TimelineRow[] = [];
  let topPx = 0;
  let group = '';
  for (const track of tracks) {
    if (track.group !== group) {
      group = track.group;
      rows.push({kind: 'group', topPx, heightPx: groupHeightPx, label: group});
      topPx += groupHeightPx;
    }
    const heightPx = track.laneCount * laneHeightPx + 2 * trackPaddingPx;
    rows.push({kind: 'track', topPx, heightPx, track});
    topPx += heightPx;
  }
  return {rows, heightPx: topPx};
}

/** The rows of which something lies between two heights. */
export function rowsBetween({rows}: TimelineRows, fromPx: number, toPx: number): TimelineRow[] {
  return rows.filter(({topPx, heightPx}) => topPx < toPx && topPx + heightPx > fromPx);
}

/** The top of a lane of a track row. */
export function laneTopPx(row: TimelineRow, lane: number): number {
  return row.topPx + trackPaddingPx + lane * laneHeightPx;
}

/** The track and lane at a height, null between lanes and on headings. */
export function laneAt({rows}: TimelineRows, yPx: number): {readonly track: number; readonly lane: number} | null {
  const row = rows.find(({topPx, heightPx}) => yPx >= topPx && yPx < topPx + heightPx);
  if (row?.kind !== 'track') return null;
  const lane = Math.floor((yPx - row.topPx - trackPaddingPx) / laneHeightPx);
  return lane >= 0 && lane < row.track.laneCount ? {track: row.track.track, lane} : null;
}
