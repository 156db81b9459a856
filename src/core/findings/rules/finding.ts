/** How much a finding matters: of the time that its rule looks at. */
export const severities = ['high', 'medium', 'low'] as const;
export type Severity = (typeof severities)[number];

/** What a value of evidence is counted in. */
export type EvidenceUnit = 'ns' | 'count' | 'bytes' | 'percent' | 'ratio';

/** A number that a finding rests on, and the query that gives it. */
export interface Evidence {
  readonly text: string;
  readonly value: number;
  readonly unit: EvidenceUnit;
  /** SQL over the profile that answers with one cell, `value`. */
  readonly query: string;
}

/** What stands in the way, said with its evidence. */
export interface Finding {
  /** The rule's id, such as `idle/data-loader`. */
  readonly rule: string;
  readonly severity: Severity;
  readonly title: string;
  readonly evidence: readonly Evidence[];
  /** What mending it can bring at most, ns of the whole profile; null where time is not what it costs. */
  readonly gainAtMostNs: number | null;
  /** What to do, with an example. */
  readonly advice: string;
  /** The page of the library's documentation that says more. */
  readonly link: string | null;
  /** The line of the person's own code, where the profile tells it. */
  readonly file: string | null;
  readonly line: number | null;
  /** When it is seen first, ns from the first event of the profile. */
  readonly startNs: number | null;
}
