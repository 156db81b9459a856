/** How much a finding matters, as a share of the time that its rule examines. */
export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

/** The unit of a value of evidence. */
export type EvidenceUnit = 'ns' | 'count' | 'bytes' | 'percent' | 'ratio';

/** A number on which a finding is based, and the query that computes it. */
export interface Evidence {
  readonly text: string;
  readonly value: number;
  readonly unit: EvidenceUnit;
  /** SQL over the profile that returns one cell, `value`. */
  readonly query: string;
}

/** A performance problem with its evidence. */
export interface Finding {
  /** The rule's id, such as `idle/data-loader`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly evidence: readonly Evidence[];
  /** The greatest possible gain of fixing it, in ns of the whole profile; null if it does not cost time. */
  readonly gainAtMostNs: number | null;
  /** What to do, with an example. */
  readonly advice: string;
  /** The page of the library's documentation with details. */
  readonly link: string | null;
  /** The line in the user's own code, if the profile records it. */
  readonly file: string | null;
  readonly line: number | null;
  /** Its first occurrence, ns from the first event of the profile. */
  readonly startNs: number | null;
}
