/** A question about a profile, answered by a query. */
export interface Question {
  readonly question: string;
  /** How to read the answer, or what a profile cannot show. */
  readonly about: string;
  /**
   * SQL with a row for each line of the answer. Columns that end in `_ns`, `_bytes` and `_percent` are formatted
   * accordingly.
   */
  readonly sql: string;
}

/** More rows are not an answer. */
export const mostAnswerRows = 20;
