import type {RankRequests} from './rank-messages.js';

/** What the view of results shows. */
export type QueryContent =
  | {readonly state: 'empty'}
  | {readonly state: 'running'; readonly profile: string; readonly text: string}
  | {readonly state: 'failed'; readonly sql: string; readonly message: string}
  | {readonly state: 'done'; readonly result: QueryResultView};

/** A result without its rows, which the view asks for as they come into sight. */
export interface QueryResultView {
  /** Changes with every result. */
  readonly key: number;
  readonly profile: string;
  /** Tells the profile from others that are open. */
  readonly profileKey: number;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly isNumeric: readonly boolean[];
  readonly rowCount: number;
  /** What the rows are sorted by; empty for the order of the query. */
  readonly sort: readonly QuerySort[];
  /** Only rows with this text are shown; "" for all. */
  readonly filter: string;
  /** Rows that the filter keeps. */
  readonly keptCount: number;
  /** How many rows there are, and how long they took. */
  readonly summary: string;
}

export interface QuerySort {
  readonly column: number;
  readonly isDescending: boolean;
}

/** Rows of a result in the order of the view, `to` exclusive. */
interface QueryRows {
  readonly key: number;
  readonly from: number;
  readonly to: number;
}

/** What the view asks of the extension host. */
export interface QueryHostRequests extends RankRequests {
  'view/ready': {params: undefined; result: undefined};
  'query/cancel': {params: undefined; result: undefined};
  'query/again': {params: undefined; result: undefined};
  /** Texts by row and column; null where a value is absent. */
  'query/rows': {params: QueryRows; result: readonly (readonly (string | null)[])[]};
  /** Gives how many rows the filter keeps. */
  'query/arrange': {
    params: {key: number; sort: readonly QuerySort[]; filter: string};
    result: {keptCount: number};
  };
  'query/copy-text': {params: {text: string}; result: undefined};
  'query/copy': {params: QueryRows & {format: 'text' | 'csv' | 'markdown'}; result: undefined};
  'query/save': {params: {key: number}; result: undefined};
}

/** What the extension host asks of the view. */
export interface QueryViewRequests {
  'query/content': {params: QueryContent; result: undefined};
}
