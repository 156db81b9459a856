import type {EvidenceUnit, Severity} from './finding.js';

/** What a query of a rule answers with. */
export type FactValue = string | number | null;

/** One cell that a rule asks a profile for. */
export interface Fact {
  /** SQL with one row of one column. */
  readonly sql: string;
  /** What the value is counted in; `text` is a name or a file, which is no evidence by itself. */
  readonly unit: EvidenceUnit | 'text';
}

/** What a rule makes of its facts. */
export interface Conclusion<Name extends string = string> {
  readonly severity: Severity;
  readonly title: string;
  /** The facts that it rests on, the strongest first, each with what it says. */
  readonly evidence: readonly (readonly [fact: Name, text: string])[];
  readonly gainAtMostNs: number | null;
  readonly advice: string;
  readonly link?: string;
  readonly file?: FactValue;
  readonly line?: FactValue;
  readonly startNs?: FactValue;
}

/** One thing that can stand in the way: what is asked of a profile, and what is concluded from it. */
export interface Rule {
  readonly id: string;
  /** What the rule looks for, in one sentence. */
  readonly looksFor: string;
  /** Below what it stays silent, in one sentence. */
  readonly silentBelow: string;
  /** Whether it makes the profile's figures themselves doubtful: such findings come first. */
  readonly doubtsFigures: boolean;
  readonly facts: Readonly<Record<string, Fact>>;
  conclude(values: Readonly<Record<string, FactValue>>): Conclusion | null;
}

/** A rule whose `conclude` sees its facts by their names: `number` gives 0 where a profile has no such value. */
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

/** A fact in ns, a count, … */
export const ns = (sql: string): Fact => ({sql, unit: 'ns'});
export const count = (sql: string): Fact => ({sql, unit: 'count'});
export const percent = (sql: string): Fact => ({sql, unit: 'percent'});
export const ratio = (sql: string): Fact => ({sql, unit: 'ratio'});
export const text = (sql: string): Fact => ({sql, unit: 'text'});
