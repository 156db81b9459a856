import type {TimeWindow} from '../../src/core/base/time-window.js';
import {isFields, type JsonFields} from '../../src/core/base/read-json.js';
import type {Area} from './timeline-state.js';

/** The selection: its row, and the properties that identify it in case the file is read differently later. */
export interface StoredSelection {
  readonly kind: 'slice' | 'instant';
  readonly row: number;
  readonly name: string;
  readonly atNs: number;
}

/** The stored view of a profile. */
export interface StoredView {
  readonly window: TimeWindow;
  readonly scrollPx: number;
  readonly filter: string;
  /** The row that keys act on, '' for none. */
  readonly focusedRow: string;
  readonly selected: StoredSelection | null;
  readonly marks: readonly number[];
  readonly measured: TimeWindow | null;
  readonly area: Area | null;
}

interface IdentifiedView extends StoredView {
  readonly identity: string;
}

/** The views of only this many profiles are stored; the oldest is dropped first. */
export const mostViews = 20;
const mostMarks = 200;
const mostRows = 1000;

/** Returns the stored view of a profile; null if it is invalid, because an older version wrote it. */
export function viewOf(stored: unknown, identity: string): StoredView | null {
  return viewsIn(stored).find(view => view.identity === identity) ?? null;
}

/** Returns the state to store: the current view of a profile, and the earlier views of others. */
export function withView(stored: unknown, identity: string, view: StoredView): {readonly views: readonly StoredView[]} {
  const {marks, area} = view;
  const bounded = {
    ...view,
    marks: marks.slice(-mostMarks),
    area: area && {...area, rows: area.rows.slice(0, mostRows)},
  };
  const others = viewsIn(stored).filter(other => other.identity !== identity);
  return {views: [{...bounded, identity}, ...others].slice(0, mostViews)};
}

function viewsIn(stored: unknown): IdentifiedView[] {
  return listOf(membersOf(stored)['views'])
    .slice(0, mostViews)
    .flatMap(value => {
      const {identity, window: shown, scrollPx, filter, focusedRow, selected, marks, measured, area} = membersOf(value);
      const window = windowOf(shown);
      if (typeof identity !== 'string' || !window || !isNumber(scrollPx)) return [];
      return [
        {
          identity,
          window,
          scrollPx,
          filter: textOf(filter),
          focusedRow: textOf(focusedRow),
          selected: selectionOf(selected),
          marks: listOf(marks).filter(isNumber).slice(-mostMarks),
          measured: windowOf(measured),
          area: areaOf(area),
        },
      ];
    });
}

function selectionOf(value: unknown): StoredSelection | null {
  const {kind, row, name, atNs} = membersOf(value);
  if ((kind !== 'slice' && kind !== 'instant') || typeof name !== 'string') return null;
  return Number.isInteger(row) && isNumber(atNs) ? {kind, row: row as number, name, atNs} : null;
}

function areaOf(value: unknown): Area | null {
  const window = windowOf(value);
  const rows = listOf(membersOf(value)['rows']).filter(row => typeof row === 'string');
  return window && {...window, rows: rows.slice(0, mostRows)};
}

function windowOf(value: unknown): TimeWindow | null {
  const {fromNs, toNs} = membersOf(value);
  return isNumber(fromNs) && isNumber(toNs) && toNs >= fromNs ? {fromNs, toNs} : null;
}

function membersOf(value: unknown): JsonFields {
  return isFields(value) ? value : {};
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}
