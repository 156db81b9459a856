import {expect, it} from 'vitest';
import {find} from '../../../src/core/findings/find.js';
import {count, defineRule} from '../../../src/core/findings/rules/rule.js';

const rule = (id: string, gainAtMostNs: number | null, doubtsFigures = false) =>
  defineRule({
    ...{id, looksFor: '', silentBelow: '', doubtsFigures, facts: {one: count('SELECT 1')}},
    conclude: () => ({severity: 'low', title: id, evidence: [['one', 'One']], gainAtMostNs, advice: ''}),
  });

it('find(answers, rules) has what makes figures doubtful first, then what can bring most', () => {
  const rules = [rule('little', 10), rule('doubt', null, true), rule('much', 1000), rule('unknown', null)];
  const found = find(new Map([['SELECT 1', 1]]), rules);
  expect(found.map(finding => finding.rule)).toEqual(['doubt', 'much', 'little', 'unknown']);
});
