import {usualChanges, type NamedChange} from './usual-changes.js';
import type {Trace} from '../trace/trace.js';
import {changeOfRule} from './finding-gains.js';

/** What somebody asks "What if…" about: a finding by its rule, or a range, kernel, operator or line by its name. */
export type WhatIfTarget = {readonly rule: string} | {readonly name: string};

/** The changes of a target: what mends a finding; a range that takes half of its time, or none. */
export function changesOfTarget(trace: Trace, target: WhatIfTarget): NamedChange[] {
  if ('rule' in target) {
    const change = changeOfRule(target.rule);
    if (change === null) return [];
    return [
      usualChanges(trace).find(usual => usual.change === change) ?? {change, title: 'What the finding says is done'},
    ];
  }
  // Ranges that differ by numbers alone are one row: their name without the number is that of all.
  const name = target.name.replace(/[#_ ]?\*$/, '');
  return [
    {change: `faster=${name}:2`, title: `${name} takes half of its time`},
    {change: `faster=${name}:inf`, title: `${name} is not there`},
  ];
}
