/** The rows in the page: the visible ones, and a few beyond. */
export interface RowWindow {
  readonly first: number;
  /** Exclusive. */
  readonly end: number;
}

/** Rows beyond either edge that are prepared for the next scroll. */
const spareRows = 10;

/** Returns the rows to create for a scroll position; none for an empty table. All lengths are CSS pixels. */
export function rowWindow(scrollPx: number, heightPx: number, rowPx: number, count: number): RowWindow {
  const first = Math.max(0, Math.floor(scrollPx / rowPx) - spareRows);
  const end = Math.min(count, Math.ceil((scrollPx + heightPx) / rowPx) + spareRows);
  return {first: Math.min(first, Math.max(0, end)), end: Math.max(0, end)};
}

/** The active cell of a grid; row -1 is the header. The rows from `anchor` to it are selected. */
export interface GridPlace {
  readonly row: number;
  readonly column: number;
  readonly anchor: number;
}

type Key = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'shiftKey'>;

/**
 * Returns where a key moves, as in every grid: arrows move by one, Page Up and Down by a screen, Home and End in the
 * row, with Control in the whole table. With Shift the passed rows are selected. Null for other keys.
 *
 * @see https://www.w3.org/WAI/ARIA/apg/patterns/grid/
 */
export function moveTo(
  {row, column, anchor}: GridPlace,
  {key, ctrlKey, metaKey, shiftKey}: Key,
  {rows, columns, rowsInSight}: {readonly rows: number; readonly columns: number; readonly rowsInSight: number},
): GridPlace | null {
  const isFar = ctrlKey || metaKey;
  const steps: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    PageUp: [-rowsInSight, 0],
    PageDown: [rowsInSight, 0],
    Home: [isFar ? -rows - 1 : 0, -columns],
    End: [isFar ? rows : 0, columns],
  };
  if (!Object.hasOwn(steps, key)) return null;
  const [down, right] = steps[key];
  const isSelecting = shiftKey && row >= 0;
  const to = clamp(row + down, isSelecting ? 0 : -1, rows - 1);
  return {row: to, column: clamp(column + right, 0, columns - 1), anchor: isSelecting ? anchor : to};
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value));
}
