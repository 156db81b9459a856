import type {TimelineRow, TimelineRows} from '../../src/core/layout/timeline-rows.js';
import type {TimeWindow} from '../../src/core/base/time-window.js';
import type {Area} from './timeline-state.js';

/** Returns the keys of rows that an area can cover: headings have no contents. */
export function keysOf(rows: readonly TimelineRow[]): string[] {
  return rows.filter(({kind}) => kind !== 'group').map(({key}) => key);
}

/** Returns a time as an area, as a drag marks it: over a row, or over all rows if that is null or a heading. */
export function areaOver(spanNs: number, {fromNs, toNs}: TimeWindow, row: TimelineRow | null): Area {
  return {
    fromNs: Math.round(Math.max(0, fromNs)),
    toNs: Math.round(Math.min(spanNs, toNs)),
    rows: row ? keysOf([row]) : [],
  };
}

/**
 * Returns a time as an area over those of some rows that a profile has, shown or hidden; over all rows if it has none
 * of them.
 */
export function areaOverRows(
  spanNs: number,
  window: TimeWindow,
  keys: readonly string[],
  {rows}: Pick<TimelineRows, 'rows'>,
): Area {
  const known = new Set(keysOf(rows));
  return {...areaOver(spanNs, window, null), rows: keys.filter(key => known.has(key))};
}

/** A part of the rows, from the top of the first one. */
export interface RowBand {
  readonly topPx: number;
  readonly bottomPx: number;
}

/**
 * Returns the bands of an area among the shown rows: one band for adjacent rows, including headings between them. None
 * if its rows are hidden.
 */
export function bandsOf({rows, heightPx}: TimelineRows, area: Area): readonly RowBand[] {
  if (area.rows.length === 0) return [{topPx: 0, bottomPx: heightPx}];
  const marked = new Set(area.rows);
  const bands: RowBand[] = [];
  let isOpen = false;
  for (const {kind, key, topPx, heightPx: rowPx} of rows) {
    if (kind === 'group') continue;
    const bottomPx = topPx + rowPx;
    if (marked.has(key)) bands.push({topPx: isOpen ? (bands.pop()?.topPx ?? topPx) : topPx, bottomPx});
    isOpen = marked.has(key);
  }
  return bands;
}
