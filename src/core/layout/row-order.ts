import {timelineRows, type TimelineLayout, type TimelineRow, type TimelineRows} from './timeline-rows.js';
import type {TimelineSummary} from './timeline-summary.js';

/** The side of another row on which something is placed. */
type RowSide = 'before' | 'after';

/** A place among the siblings of a row. */
export interface RowPlace {
  /** The sibling next to which the row is placed. */
  readonly beside: string;
  readonly side: RowSide;
  /** Where the sibling begins and ends, from the top of the first row. */
  readonly topPx: number;
  readonly bottomPx: number;
}

/** The heading of the pinned rows, which stays on top. */
const pinnedGroup = 'pinned';

/**
 * Returns the key of what moves with a row: for a heading its group, for a track all its rows, otherwise the counter or
 * pinned row. Null for the heading of the pinned rows.
 */
export function movedKey(row: TimelineRow): string | null {
  if (row.kind === 'group') return row.key === pinnedGroup ? null : row.key;
  return row.isPinned ? row.key : row.blockKey;
}

/** Returns the siblings among which a row can be moved, in order, with their places; they include its own. */
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

/** Returns each group with the rows below its heading. */
function groupSections(rows: readonly TimelineRow[]): Part[] {
  let group = '';
  return rows.flatMap(row => {
    if (row.kind === 'group') group = row.key;
    return group === pinnedGroup ? [] : [{key: group, topPx: row.topPx, bottomPx: row.topPx + row.heightPx}];
  });
}

/** Returns the rows below the same heading. */
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

/** Returns the place one up or down among the siblings; null at the end. */
export function placeBeside(rows: TimelineRows, row: TimelineRow, direction: -1 | 1): RowPlace | null {
  const siblings = siblingsOf(rows, row);
  const at = siblings.findIndex(({beside}) => beside === movedKey(row));
  const place = at < 0 ? undefined : siblings[at + direction];
  return place ? {...place, side: direction < 0 ? 'before' : 'after'} : null;
}

/** Returns the place among the siblings that is nearest to a height; null if the row would not move. */
export function placeAt(rows: TimelineRows, row: TimelineRow, yPx: number): RowPlace | null {
  const siblings = siblingsOf(rows, row);
  const at = siblings.findIndex(({beside}) => beside === movedKey(row));
  if (at < 0) return null;
  const under = siblings.findIndex(({bottomPx}) => yPx < bottomPx);
  const to = under < 0 ? siblings.length - 1 : under;
  if (to === at) return null;
  const {topPx, bottomPx} = siblings[to];
  // A row moves past a sibling once it is dragged past the sibling's middle.
  const middlePx = (topPx + bottomPx) / 2;
  const target = to > at ? (yPx >= middlePx ? to : to - 1) : yPx < middlePx ? to : to + 1;
  return target === at ? null : {...siblings[target], side: target > at ? 'after' : 'before'};
}

/**
 * Returns the layout after moving a row's group or track to another place among its siblings, including filtered ones.
 */
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
