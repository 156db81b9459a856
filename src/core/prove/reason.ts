/** A reason for or against a verdict. */
export interface Reason {
  /** Stable, for programs. */
  readonly code: ReasonCode;
  /** One sentence for people. */
  readonly text: string;
  /** `difference`: the work was not the same. `doubt`: it cannot be proven. `evidence`: it supports the verdict. */
  readonly weight: 'difference' | 'doubt' | 'evidence';
}

export type ReasonCode =
  | 'failed'
  | 'steps'
  | 'shapes'
  | 'dtypes'
  | 'training'
  | 'operations'
  | 'outputs'
  | 'not-deterministic'
  | 'nothing-to-compare'
  | 'cached'
  | 'stored-results'
  | 'profiler'
  | 'other-code'
  | 'machine'
  | 'put-off'
  | 'start-up'
  | 'noise'
  | 'budget'
  | 'measured'
  | 'time';

/** Returns a reason that the work was not the same. */
export function difference(code: ReasonCode, text: string): Reason {
  return {code, text, weight: 'difference'};
}

/** Returns a reason that prevents a proof. */
export function doubt(code: ReasonCode, text: string): Reason {
  return {code, text, weight: 'doubt'};
}

/** Returns a fact that supports the verdict. */
export function evidence(code: ReasonCode, text: string): Reason {
  return {code, text, weight: 'evidence'};
}
