import {timelineRows, type TimelineLayout, type TimelineRow, type TimelineRows} from './timeline-rows.js';
import type {TimelineSummary} from './timeline-summary.js';

/** On which side of another row something is put. */
type RowSide = 'before' | 'after';

/** A place among what a row can be moved past. */
export interface RowPlace {
  /** What the row is put beside. */
  readonly beside: string;
  readonly side: RowSide;
  /** Where that begins and ends, from the top of the first row. */
  readonly topPx: number;
  readonly bottomPx: number;
}

/** The heading of the rows that are pinned: it stays on top. */
const pinnedGroup = 'pinned';

/**
 * What moves as one: a group by its heading, a track with all its rows, a counter, a pinned row by itself. Null for the
 * heading of what is pinned.
 */
export function movedKey(row: TimelineRow): string | null {
  if (row.kind === 'group') return row.key === pinnedGroup ? null : row.key;
  return row.isPinned ? row.key : row.blockKey;
}

/** What a row can be moved among, in order, with the place of each; its own is among them. */
export function siblingsOf({rows}: TimelineRows, row: TimelineRow): RowPlace[] {
  const section = row.kind === 'group' ? groupSections(rows) : sectionOf(rows, row);
  const places = new Map<string, RowPlace>();
  for (const {key, topPx, bottomPx} of section) {
    const known = places.get(key);
    places.set(key, {beside: key, side: 'before', topPx: known?.topPx ?? topPx, bottomPx});
  }
  return [...places.values()];
}

interface Part {
  readonly key: string;
  readonly topPx: number;
  readonly bottomPx: number;
}

/** Each group with the rows below its heading. */
function groupSections(rows: readonly TimelineRow[]): Part[] {
  let group = '';
  return rows.flatMap(row => {
    if (row.kind === 'group') group = row.key;
    return group === pinnedGroup ? [] : [{key: group, topPx: row.topPx, bottomPx: row.topPx + row.heightPx}];
  });
}

/** The rows below the same heading. */
function sectionOf(rows: readonly TimelineRow[], row: TimelineRow): Part[] {
  const at = rows.findIndex(({key}) => key === row.key);
  const isHeading = ({kind}: TimelineRow) => kind === 'group';
  const first = rows.slice(0, at).findLastIndex(isHeading) + 1;
  const next = rows.findIndex((other, place) => place > at && isHeading(other));
  return rows.slice(first, next < 0 ? rows.length : next).flatMap(other => {
    const key = movedKey(other);
    return key === null ? [] : [{key, topPx: other.topPx, bottomPx: other.topPx + other.heightPx}];
  });
}

/** The place one up or down among its siblings; null at their end. */
export function placeBeside(rows: TimelineRows, row: TimelineRow, direction: -1 | 1): RowPlace | null {
  const siblings = siblingsOf(rows, row);
  const at = siblings.findIndex(({beside}) => beside === movedKey(row));
  const place = at < 0 ? undefined : siblings[at + direction];
  return place ? {...place, side: direction < 0 ? 'before' : 'after'} : null;
}

/** The place among its siblings that is nearest to a height; null where a row there would stay where it is. */
export function placeAt(rows: TimelineRows, row: TimelineRow, yPx: number): RowPlace | null {
  const siblings = siblingsOf(rows, row);
  const at = siblings.findIndex(({beside}) => beside === movedKey(row));
  if (at < 0) return null;
  const under = siblings.findIndex(({bottomPx}) => yPx < bottomPx);
  const to = under < 0 ? siblings.length - 1 : under;
  if (to === at) return null;
  const {topPx, bottomPx} = siblings[to];
  // Past the middle of what lies in between, as everything that is dragged.
  const middlePx = (topPx + bottomPx) / 2;
  const target = to > at ? (yPx >= middlePx ? to : to - 1) : yPx < middlePx ? to : to + 1;
  return target === at ? null : {...siblings[target], side: target > at ? 'after' : 'before'};
}

/** The layout in which what a row belongs to stands at another place among its siblings, those that are filtered out too. */
export function withRowAt(
  summary: TimelineSummary,
  layout: TimelineLayout,
  row: TimelineRow,
  {beside, side}: RowPlace,
): TimelineLayout {
  const moved = movedKey(row);
  if (moved === null) return layout;
  const all = siblingsOf(timelineRows(summary, {...layout, filter: ''}), row).map(place => place.beside);
  const others = all.filter(key => key !== moved);
  const at = others.indexOf(beside) + (side === 'after' ? 1 : 0);
  const siblings = [...others.slice(0, at), moved, ...others.slice(at)];
  const among = new Set(siblings);
  const after = (keys: Iterable<string>) => [...[...keys].filter(key => !among.has(key)), ...siblings];
  return row.kind !== 'group' && row.isPinned
    ? {...layout, pinned: new Set(after(layout.pinned))}
    : {...layout, order: after(layout.order)};
}
