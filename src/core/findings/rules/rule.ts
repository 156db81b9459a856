import type {EvidenceUnit, Severity} from './finding.js';

/** The result of a rule's query. */
export type FactValue = string | number | null;

/** One cell that a rule queries from a profile. */
export interface Fact {
  /** SQL with one row of one column. */
  readonly sql: string;
  /** The unit of the value; `text` is a name or a file, which is not evidence by itself. */
  readonly unit: EvidenceUnit | 'text';
}

/** A rule's conclusion from its facts. */
export interface Conclusion<Name extends string = string> {
  readonly severity: Severity;
  readonly title: string;
  /** The facts that it is based on, the strongest first, each with its text. */
  readonly evidence: readonly (readonly [fact: Name, text: string])[];
  readonly gainAtMostNs: number | null;
  readonly advice: string;
  readonly link?: string;
  readonly file?: FactValue;
  readonly line?: FactValue;
  readonly startNs?: FactValue;
}

/** One possible problem: the queries of a profile, and the conclusion from their answers. */
export interface Rule {
  readonly id: string;
  /** What the rule looks for, in one sentence. */
  readonly looksFor: string;
  /** The threshold below which it is silent, in one sentence. */
  readonly silentBelow: string;
  /** Whether it puts the profile's figures themselves in doubt; such findings come first. */
  readonly doubtsFigures: boolean;
  readonly facts: Readonly<Record<string, Fact>>;
  conclude(values: Readonly<Record<string, FactValue>>): Conclusion | null;
}

/** Returns a rule whose `conclude` gets its facts by name: `number` returns 0 if a profile has no such value. */
export function defineRule<Name extends string>(rule: {
  readonly id: string;
  readonly looksFor: string;
  readonly silentBelow: string;
  readonly doubtsFigures?: boolean;
  readonly facts: Readonly<Record<Name, Fact>>;
  conclude(number: (name: Name) => number, text: (name: Name) => FactValue): Conclusion<Name> | null;
}): Rule {
  return {
    ...rule,
    doubtsFigures: rule.doubtsFigures ?? false,
    conclude: values =>
      rule.conclude(
        name => (typeof values[name] === 'number' ? values[name] : 0),
        name => values[name] ?? null,
      ),
  };
}

/** Returns a fact in ns; the functions below return facts in other units. */
export const ns = (sql: string): Fact => ({sql, unit: 'ns'});
export const count = (sql: string): Fact => ({sql, unit: 'count'});
export const percent = (sql: string): Fact => ({sql, unit: 'percent'});
export const ratio = (sql: string): Fact => ({sql, unit: 'ratio'});
export const text = (sql: string): Fact => ({sql, unit: 'text'});
