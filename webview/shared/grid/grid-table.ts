import type {SortKey} from '../../../src/core/tabs/sort-rows.js';

/** A column of a grid. */
export interface GridColumn {
  /** Unique in its table; the column's width, position and visibility are stored under it. */
  readonly id: string;
  readonly title: string;
  /** Its meaning, shown as a tooltip. */
  readonly about?: string;
  /** Texts are aligned left and shortened in the middle; numbers are never cut. */
  readonly isText: boolean;
  /** Whether it names the row's subject: it takes most of the room. */
  readonly isName?: boolean;
  /** A text that shrinks in a narrow view, to leave room for figures. */
  readonly canShrink?: boolean;
  /** By default before the other columns. */
  readonly isFirst?: boolean;
  /** The title that it shares with its neighbours, shown above them. */
  readonly group?: string;
}

/** The contents of a cell. */
export interface GridCell {
  readonly text: string;
  /** The whole text, or the number with every digit, as a tooltip; the text itself if absent. */
  readonly title?: string;
  /** The text for screen readers, if it differs. */
  readonly label?: string;
  /** The fraction of the cell that a bar fills, 0 to 1. */
  readonly bar?: number;
  /** Class names for the cell's style. */
  readonly className?: string;
}

/** The contents of a grid, whose rows may arrive gradually. */
export interface GridTable<Row> {
  /** The key under which the columns' layout is stored. */
  readonly key: string;
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /** The sort keys of the rows; columns are those of `columns`. */
  readonly sort: readonly SortKey[];
  /** Null for a row that has not arrived. */
  row(at: number): Row | null;
  cell(row: Row, column: number): GridCell;
  /** Length of the longest known text in a column. */
  longest(column: number): number;
  /** The cells of the last line; absent for none. */
  readonly totals?: readonly GridCell[];
}

/** A grid's events. */
export interface GridHandlers<Row> {
  /** The user wants another order. Absent if the rows cannot be sorted. */
  readonly sort?: (keys: readonly SortKey[]) => void;
  /** The user wants to filter the rows. Absent if they cannot be filtered. */
  readonly filter?: () => void;
  /** Another row is active; null for none. */
  readonly activate?: (row: Row | null) => void;
  /** Enter or a double click on a row; a single click with `opensOnClick`. */
  readonly open?: (row: Row, column: number) => void;
  readonly opensOnClick?: boolean;
  readonly copyCell?: (text: string) => void;
  /** Copies rows `from` to `to`, exclusive; if present, several rows can be selected. */
  readonly copyRows?: (from: number, to: number, columns: readonly number[]) => void;
}
