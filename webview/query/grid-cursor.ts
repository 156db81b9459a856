/** Where the cursor of a grid is, and the rows that are selected from `anchor` to it. */
export interface GridCursor {
  readonly row: number;
  readonly column: number;
  readonly anchor: number;
}

interface GridSize {
  readonly rows: number;
  readonly columns: number;
  readonly rowsPerPage: number;
}

const steps: Readonly<Record<string, (size: GridSize) => readonly [rows: number, columns: number]>> = {
  ArrowUp: () => [-1, 0],
  ArrowDown: () => [1, 0],
  ArrowLeft: () => [0, -1],
  ArrowRight: () => [0, 1],
  PageUp: ({rowsPerPage}) => [-rowsPerPage, 0],
  PageDown: ({rowsPerPage}) => [rowsPerPage, 0],
  Home: () => [0, -Infinity],
  End: () => [0, Infinity],
};

/**
 * The cursor after a key: arrows, Page Up and Down; Home and End go along the row, with Ctrl through all rows. With Shift
 * the rows passed are selected. Null for keys that move nothing.
 */
export function moveCursor(
  {row, column, anchor}: GridCursor,
  {key, ctrlKey, metaKey, shiftKey}: Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>,
  size: GridSize,
): GridCursor | null {
  if (!Object.hasOwn(steps, key) || size.rows === 0) return null;
  const [rows, columns] = steps[key](size);
  const isFar = (ctrlKey || metaKey) && (key === 'Home' || key === 'End');
  const to = clamp(row + (isFar ? columns : rows), size.rows);
  return {row: to, column: isFar ? column : clamp(column + columns, size.columns), anchor: shiftKey ? anchor : to};
}

function clamp(value: number, length: number): number {
  return Math.min(Math.max(value, 0), length - 1);
}
