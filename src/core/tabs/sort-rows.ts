import type {Cell} from '../reports/report.js';
import {sortByStart} from '../table/sort.js';

export interface SortKey {
  readonly column: number;
  /** Of the column: where it is said, the key is of this column wherever it stands. */
  readonly header?: string;
  readonly isDescending: boolean;
}

/** Numbers before texts before what is absent, whichever way a column is sorted. */
const numberClass = 0;
const textClass = 1;
const absentClass = 2;

/**
 * Sorts rows of a table: numbers by value, texts by code unit, what is absent last either way; equal rows keep their order.
 *
 * Each key becomes a column of numbers, and rows are sorted by the last key first: a stable sort keeps what it did.
 *
 * @param rows row numbers of `cells`
 */
export function sortRows(
  rows: readonly number[],
  cells: readonly (readonly Cell[])[],
  sort: readonly SortKey[],
): readonly number[] {
  if (sort.length === 0) return rows;
  const sorted = Uint32Array.from(rows);
  for (const {column, isDescending} of sort.toReversed()) {
    const {values, classes} = keysOf(cells, column, isDescending);
    sortByStart(sorted, values);
    if (classes) sortByStart(sorted, classes);
  }
  return Array.from(sorted);
}

/** A column as numbers that ascend as the rows shall stand; the classes of its cells where they are of several. */
function keysOf(
  cells: readonly (readonly Cell[])[],
  column: number,
  isDescending: boolean,
): {values: Float64Array; classes: Float64Array | null} {
  const values = new Float64Array(cells.length);
  const classes = new Float64Array(cells.length);
  const sign = isDescending ? -1 : 1;
  const places = placesOf(cells, column);
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row][column];
    classes[row] = typeof cell === 'number' ? numberClass : cell === null ? absentClass : textClass;
    if (cell !== null) values[row] = sign * (typeof cell === 'number' ? cell : (places.get(cell) ?? 0));
  }
  return {values, classes: classes.some(found => found !== classes[0]) ? classes : null};
}

/** Each text of a column → its place among them. */
function placesOf(cells: readonly (readonly Cell[])[], column: number): ReadonlyMap<string, number> {
  const texts = new Set<string>();
  for (const row of cells) {
    const cell = row[column];
    if (typeof cell === 'string') texts.add(cell);
  }
  // By code unit, as `<` compares.
  return new Map([...texts].sort().map((text, place) => [text, place]));
}
