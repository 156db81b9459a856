import {findingsOf} from '../../support/made-findings.js';
import type {Labels} from '../score.js';
import {madeCases} from './all-made.js';

/** Returns the labels of a rule's simulated programs, by their descriptions. */
export function madeLabels(rule: string): Labels {
  const own = madeCases.filter(made => made.rule === rule);
  return {
    rules: [rule],
    profiles: Object.fromEntries(own.map(({what, label}) => [`the program “${what}”`, {[rule]: {label}}])),
  };
}

/** Returns, by rule and simulated program, the rules with a finding in it. */
export async function madeThatFire(): Promise<Map<string, Map<string, ReadonlySet<string>>>> {
  const found = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const {rule, what, program, members} of madeCases) {
    const ofRule = found.get(rule) ?? new Map<string, ReadonlySet<string>>();
    const findings = await findingsOf(program, members);
    found.set(rule, ofRule.set(`the program “${what}”`, new Set(findings.map(finding => finding.rule))));
  }
  return found;
}
