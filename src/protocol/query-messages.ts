import type {RankRequests, RankViewRequests} from './rank-messages.js';

/** What the view of results shows. */
export type QueryContent =
  | {readonly state: 'empty'}
  | {readonly state: 'running'; readonly profile: string; readonly text: string}
  | {readonly state: 'failed'; readonly sql: string; readonly message: string}
  | {readonly state: 'done'; readonly result: QueryResultView};

/** A result without its rows. The view requests rows when they scroll into view. */
export interface QueryResultView {
  /** Changes with every result. */
  readonly key: number;
  readonly profile: string;
  /** Distinguishes the profile from other open profiles. */
  readonly profileKey: number;
  readonly sql: string;
  readonly columns: readonly string[];
  readonly isNumeric: readonly boolean[];
  readonly rowCount: number;
  /** The columns that rows are sorted by; empty for the order of the query. */
  readonly sort: readonly QuerySort[];
  /** Only rows with this text are shown; "" for all. */
  readonly filter: string;
  /** Rows that the filter keeps. */
  readonly keptCount: number;
  /** The number of rows, and how long the query took. */
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

/** Requests from the view to the extension host. */
export interface QueryHostRequests extends RankRequests {
  'view/ready': {params: undefined; result: undefined};
  'query/cancel': {params: undefined; result: undefined};
  'query/again': {params: undefined; result: undefined};
  /** Texts by row and column; null for an absent value. */
  'query/rows': {params: QueryRows; result: readonly (readonly (string | null)[])[]};
  /** Returns the number of rows that the filter keeps. */
  'query/arrange': {
    params: {key: number; sort: readonly QuerySort[]; filter: string};
    result: {keptCount: number};
  };
  'query/copy-text': {params: {text: string}; result: undefined};
  'query/copy': {params: QueryRows & {format: 'text' | 'csv' | 'markdown'}; result: undefined};
  'query/save': {params: {key: number}; result: undefined};
}

/** Requests from the extension host to the view. */
export interface QueryViewRequests extends RankViewRequests {
  'query/content': {params: QueryContent; result: undefined};
}
