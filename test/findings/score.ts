import {readFileSync} from 'node:fs';
import {join} from 'node:path';

interface Label {
  readonly label: 'fires' | 'must not' | 'cannot tell';
  readonly reason?: string;
}

/** The contents of labels.json: for each profile, by its path below GPU_LENS_DATA, a label for each rule. */
export interface Labels {
  readonly rules: readonly string[];
  readonly profiles: Readonly<Record<string, Readonly<Record<string, Label>>>>;
}

/** Reads the labels of a checkout. */
export function readLabels(checkout: string): Labels {
  return JSON.parse(readFileSync(join(checkout, 'test', 'findings', 'labels.json'), 'utf8')) as Labels;
}

/** The agreement of findings with labels. Profiles without agreement are in `falseAlarms` or `missed`. */
export interface Score {
  readonly right: number;
  readonly falseAlarms: readonly string[];
  readonly missed: readonly string[];
  /** The fraction of the findings that are true; 1 if there are none. */
  readonly precision: number;
  /** The fraction of the expected findings that were found; 1 if none are expected. */
  readonly recall: number;
}

/** Returns the score of one rule. @param found the rules with a finding, by profile */
export function scoreOf(rule: string, {profiles}: Labels, found: ReadonlyMap<string, ReadonlySet<string>>): Score {
  let right = 0;
  const falseAlarms: string[] = [];
  const missed: string[] = [];
  for (const [profile, rules] of found) {
    const label = profiles[profile]?.[rule]?.label;
    if (label === undefined) throw new RangeError(`${profile} has no label for ${rule}.`);
    if (label === 'fires') {
      if (rules.has(rule)) right++;
      else missed.push(profile);
    } else if (label === 'must not' && rules.has(rule)) falseAlarms.push(profile);
  }
  return withShares(right, falseAlarms, missed);
}

/** Returns the score over all findings of some rules. */
export function totalOf(scores: readonly Score[]): Score {
  return withShares(
    scores.reduce((sum, {right}) => sum + right, 0),
    scores.flatMap(({falseAlarms}) => falseAlarms),
    scores.flatMap(({missed}) => missed),
  );
}

function withShares(right: number, falseAlarms: readonly string[], missed: readonly string[]): Score {
  const part = (others: number) => (right + others === 0 ? 1 : right / (right + others));
  return {right, falseAlarms, missed, precision: part(falseAlarms.length), recall: part(missed.length)};
}
