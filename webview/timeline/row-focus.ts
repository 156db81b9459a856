import type {TimelineRow, TimelineRows} from '../../src/core/layout/timeline-rows.js';
import {movedKey, siblingsOf} from '../../src/core/layout/row-order.js';
import {t} from '../shared/translate.js';

/**
 * The row beside another, headings too: the first or last one where that is not there, itself at the end; null without
 * rows.
 */
export function rowBeside({rows}: TimelineRows, key: string, direction: -1 | 1): TimelineRow | null {
  const at = rows.findIndex(row => row.key === key);
  if (at < 0) return rows.at(direction > 0 ? 0 : -1) ?? null;
  return rows[Math.min(rows.length - 1, Math.max(0, at + direction))];
}

/** What is said of a row that has the focus. */
export function rowText(row: TimelineRow): string {
  const isFolded = (row.kind === 'group' || row.kind === 'track') && row.isFolded;
  const isPinned = row.kind !== 'group' && row.isPinned;
  return [row.label, isFolded ? t('folded') : '', isPinned ? t('pinned') : ''].filter(text => text !== '').join(', ');
}

/** The same of a row that was moved: with its place among those that it can be moved past. */
export function placeText(rows: TimelineRows, row: TimelineRow): string {
  const keys = siblingsOf(rows, row).map(({beside}) => beside);
  return t('{0}, place {1} of {2}', rowText(row), keys.indexOf(movedKey(row) ?? '') + 1, keys.length);
}

/** How far the rows must be scrolled for one to be in sight, in px: `scrollPx` where it is already. */
export function scrollToRow({topPx, heightPx}: TimelineRow, scrollPx: number, visiblePx: number): number {
  if (topPx < scrollPx) return topPx;
  return Math.max(scrollPx, Math.min(topPx, topPx + heightPx - visiblePx));
}
