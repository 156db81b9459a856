import type {Cell} from '../reports/report.js';
import {sortByStart} from '../table/sort.js';

export interface SortKey {
  readonly column: number;
  /** The header of the column. If present, the key refers to the column with this header, wherever it is. */
  readonly header?: string;
  readonly isDescending: boolean;
}

/** Numbers come before texts, and texts before absent values, in either sort direction. */
const numberClass = 0;
const textClass = 1;
const absentClass = 2;

/**
 * Sorts rows of a table: numbers by value, texts by code unit, absent values last in either direction. The sort is
 * stable.
 *
 * Each key becomes a column of numbers, and rows are sorted by the last key first, which works because the sort is
 * stable.
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

/** Returns a column as numbers that ascend in the desired order; the classes of its cells if there are several. */
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

/** Returns each text of a column with its rank. */
function placesOf(cells: readonly (readonly Cell[])[], column: number): ReadonlyMap<string, number> {
  const texts = new Set<string>();
  for (const row of cells) {
    const cell = row[column];
    if (typeof cell === 'string') texts.add(cell);
  }
  // By code unit, as `<` compares.
  return new Map([...texts].sort().map((text, place) => [text, place]));
}
