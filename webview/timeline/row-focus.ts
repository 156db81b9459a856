import type {TimelineRow, TimelineRows} from '../../src/core/layout/timeline-rows.js';
import {movedKey, siblingsOf} from '../../src/core/layout/row-order.js';
import {t} from '../shared/translate.js';

/**
 * Returns the row next to another, including headings: the first or last row if that one does not exist, the same row
 * at the end; null without rows.
 */
export function rowBeside({rows}: TimelineRows, key: string, direction: -1 | 1): TimelineRow | null {
  const at = rows.findIndex(row => row.key === key);
  if (at < 0) return rows.at(direction > 0 ? 0 : -1) ?? null;
  return rows[Math.min(rows.length - 1, Math.max(0, at + direction))];
}

/** Describes a focused row. */
export function rowText(row: TimelineRow): string {
  const isFolded = (row.kind === 'group' || row.kind === 'track') && row.isFolded;
  const isPinned = row.kind !== 'group' && row.isPinned;
  return [row.label, isFolded ? t('folded') : '', isPinned ? t('pinned') : ''].filter(text => text !== '').join(', ');
}

/** Describes a moved row, with its place among the rows that it can pass. */
export function placeText(rows: TimelineRows, row: TimelineRow): string {
  const keys = siblingsOf(rows, row).map(({beside}) => beside);
  return t('{0}, place {1} of {2}', rowText(row), keys.indexOf(movedKey(row) ?? '') + 1, keys.length);
}

/** Returns the scroll position in px at which a row is visible: `scrollPx` if it is already. */
export function scrollToRow({topPx, heightPx}: TimelineRow, scrollPx: number, visiblePx: number): number {
  if (topPx < scrollPx) return topPx;
  return Math.max(scrollPx, Math.min(topPx, topPx + heightPx - visiblePx));
}
