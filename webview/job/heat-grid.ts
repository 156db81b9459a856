import {t} from '../shared/translate.js';

/** A table of values, drawn as colours. */
export interface HeatGrid {
  /** Its description for screen readers. */
  readonly label: string;
  /** Names for a row and a column: "Rank", "Step". */
  readonly rowNoun: string;
  readonly columnNoun: string;
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  /** Row by row; NaN if there is no value. */
  readonly values: Float64Array;
  readonly format: (value: number) => string;
}

export interface HeatCell {
  readonly row: number;
  readonly column: number;
}

/** Where cells are drawn. If there are more columns than fit, a mark represents `perMark` of them. */
export interface HeatLayout {
  readonly leftPx: number;
  readonly topPx: number;
  readonly markWidthPx: number;
  readonly rowHeightPx: number;
  readonly perMark: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

const leftPx = 64;
const topPx = 20;
const leastMarkPx = 3;
const wholeHeightPx = 320;

/** Fits a grid into a width: few rows are high; a thousand are thin, and the map scrolls. */
export function layoutOf({rows, columns}: HeatGrid, widthPx: number, widestPx: number): HeatLayout {
  const roomPx = Math.max(leastMarkPx, widthPx - leftPx - 2);
  const perMark = Math.max(1, Math.ceil((columns.length * leastMarkPx) / roomPx));
  const marks = Math.ceil(columns.length / perMark);
  const markWidthPx = Math.min(widestPx, roomPx / Math.max(1, marks));
  const rowHeightPx = Math.max(3, Math.min(22, Math.floor(wholeHeightPx / Math.max(1, rows.length))));
  return {
    ...{leftPx, topPx, markWidthPx, rowHeightPx, perMark},
    widthPx: leftPx + marks * markWidthPx + 2,
    heightPx: topPx + rows.length * rowHeightPx + 2,
  };
}

/** Returns the value of a mark: the largest of its columns; NaN if none has one. */
export function markValue({columns, values}: HeatGrid, row: number, firstColumn: number, perMark: number): number {
  let greatest = NaN;
  for (let column = firstColumn; column < Math.min(columns.length, firstColumn + perMark); column++) {
    const value = values[row * columns.length + column];
    if (!(value <= greatest) && !Number.isNaN(value)) greatest = value;
  }
  return greatest;
}

/**
 * Returns the cell under a point: in a mark of several columns, the one with the largest value. Null outside the cells.
 */
export function cellAt(grid: HeatGrid, layout: HeatLayout, xPx: number, yPx: number): HeatCell | null {
  const row = Math.floor((yPx - layout.topPx) / layout.rowHeightPx);
  const first = Math.floor((xPx - layout.leftPx) / layout.markWidthPx) * layout.perMark;
  const {rows, columns, values} = grid;
  if (row < 0 || row >= rows.length || first < 0 || first >= columns.length) return null;
  const greatest = markValue(grid, row, first, layout.perMark);
  for (let column = first; column < Math.min(columns.length, first + layout.perMark); column++) {
    if (values[row * columns.length + column] === greatest) return {row, column};
  }
  return {row, column: first};
}

/** Returns the cell to which a key moves; null for other keys. */
export function moveCell({rows, columns}: HeatGrid, {row, column}: HeatCell, key: string): HeatCell | null {
  const to = (nextRow: number, nextColumn: number): HeatCell => ({
    row: Math.max(0, Math.min(rows.length - 1, nextRow)),
    column: Math.max(0, Math.min(columns.length - 1, nextColumn)),
  });
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column);
    case 'ArrowDown':
      return to(row + 1, column);
    case 'ArrowLeft':
      return to(row, column - 1);
    case 'ArrowRight':
      return to(row, column + 1);
    case 'PageUp':
      return to(row - 10, column);
    case 'PageDown':
      return to(row + 10, column);
    case 'Home':
      return to(row, 0);
    case 'End':
      return to(row, columns.length - 1);
    default:
      return null;
  }
}

/** Describes a cell: "Rank 3, step 12: 108 ms". */
export function cellText({rowNoun, columnNoun, rows, columns, values, format}: HeatGrid, cell: HeatCell): string {
  const value = values[cell.row * columns.length + cell.column];
  const place = `${rowNoun} ${rows[cell.row]}, ${columnNoun} ${columns[cell.column]}`.replace(/ +/g, ' ').trim();
  return `${place}: ${Number.isNaN(value) ? t('nothing') : format(value)}`;
}
