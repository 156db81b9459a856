/** A mistake that people make when they measure or feed a GPU, as far as a text shows it. */
export type SuspectKind = 'item' | 'copy' | 'print' | 'timer' | 'no-warm-up' | 'anomaly';

/** A place in a source text that may be one: whether it costs anything, a profile tells. */
export interface Suspect {
  readonly kind: SuspectKind;
  /** How the place is called to a person: `.item()`, `print(…)`. */
  readonly spelling: string;
  /** What Python calls there: `item`, `cpu`, `print`. */
  readonly called: string;
  /** Line, from 1, and offsets in UTF-16 units of the expression. */
  readonly line: number;
  readonly from: number;
  readonly to: number;
  /** First and last line of what it is about: what is timed or profiled; of others the line itself. */
  readonly firstLine: number;
  readonly endLine: number;
  /** The function that it stands in, `<module>` outside of all. */
  readonly functionName: string;
}
