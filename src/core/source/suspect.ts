/** A common mistake in measuring or feeding a GPU, as far as the text shows it. */
export type SuspectKind = 'item' | 'copy' | 'print' | 'timer' | 'no-warm-up' | 'anomaly';

/** A place in a source text that may be a mistake. A profile shows whether it costs anything. */
export interface Suspect {
  readonly kind: SuspectKind;
  /** The place's name for display: `.item()`, `print(…)`. */
  readonly spelling: string;
  /** The Python callee: `item`, `cpu`, `print`. */
  readonly called: string;
  /** Line, from 1, and offsets in UTF-16 units of the expression. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** First and last line of the affected code: what is timed or profiled; for other kinds, the line itself. */
  readonly firstLine: number;
  readonly endLine: number;
  /** The enclosing function; `<module>` outside all functions. */
  readonly functionName: string;
}
