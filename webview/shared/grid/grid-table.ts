import type {SortKey} from '../../../src/core/tabs/sort-rows.js';

/** A column as a grid shows it. */
export interface GridColumn {
  /** Tells it from the other columns of its table; its width, place and whether it is hidden are kept by it. */
  readonly id: string;
  readonly title: string;
  /** What it means; shown beside the mouse. */
  readonly about?: string;
  /** Texts stand on the left, and are shortened in the middle; numbers are never cut. */
  readonly isText: boolean;
  /** Whether it says what a row is about: it takes most of the room. */
  readonly isName?: boolean;
  /** A text that leaves its room to figures where a view is narrow. */
  readonly canShrink?: boolean;
  /** Stands before those that are not, where nobody has moved columns. */
  readonly isFirst?: boolean;
  /** What it shares with its neighbours, shown above them. */
  readonly group?: string;
}

/** What a cell shows. */
export interface GridCell {
  readonly text: string;
  /** The whole of it, or with every digit, for the mouse; the text itself where absent. */
  readonly title?: string;
  /** What a screen reader says in place of the text. */
  readonly label?: string;
  /** How much of the cell a bar takes, 0 to 1. */
  readonly bar?: number;
  /** Names of classes, by which it looks different. */
  readonly className?: string;
}

/** What a grid shows: rows that are there, or come by and by. */
export interface GridTable<Row> {
  /** What the columns' layout is kept under. */
  readonly key: string;
  readonly label: string;
  readonly columns: readonly GridColumn[];
  readonly rowCount: number;
  /** By what rows stand as they do; columns are those of `columns`. */
  readonly sort: readonly SortKey[];
  /** Null for a row that is still to come. */
  row(at: number): Row | null;
  cell(row: Row, column: number): GridCell;
  /** Letters of the longest text that a column is known to have. */
  longest(column: number): number;
  /** What stands in the last line; absent for no such line. */
  readonly totals?: readonly GridCell[];
}

/** What a grid tells of. */
export interface GridHandlers<Row> {
  /** Rows shall stand in another order. Absent where they cannot. */
  readonly sort?: (keys: readonly SortKey[]) => void;
  /** Somebody wants to say which rows to show. Absent where rows cannot be filtered. */
  readonly filter?: () => void;
  /** Another row is the active one, null for none. */
  readonly activate?: (row: Row | null) => void;
  /** Enter or a double click on a row; a click where `opensOnClick`. */
  readonly open?: (row: Row, column: number) => void;
  readonly opensOnClick?: boolean;
  readonly copyCell?: (text: string) => void;
  /** Rows `from` to `to`, exclusive; several rows can be selected where it is there. */
  readonly copyRows?: (from: number, to: number, columns: readonly number[]) => void;
}
