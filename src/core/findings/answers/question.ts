/** A question about a profile that a query answers. */
export interface Question {
  readonly question: string;
  /** How the answer is to be read, or what a profile cannot tell of it. */
  readonly about: string;
  /** SQL with a row for each line of the answer. Columns that end in `_ns`, `_bytes` and `_percent` are shown so. */
  readonly sql: string;
}

/** More is no answer. */
export const mostAnswerRows = 20;
