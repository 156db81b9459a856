import {describe, expect, it} from 'vitest';
import {allRules} from '../../src/core/findings/rules/all-rules.js';
import {project} from '../support/project.js';
import {readLabels, scoreOf, totalOf} from './score.js';

const labels = readLabels(project);

it('each labelled profile has a label for each rule that there is', () => {
  const ids = allRules.map(({id}) => id).sort();
  expect([...labels.rules].sort()).toEqual(ids);
  for (const [profile, rules] of Object.entries(labels.profiles)) {
    expect(Object.keys(rules).sort(), profile).toEqual(ids);
  }
});

describe('a score', () => {
  const rule = 'idle/data-loader';
  const of = (label: 'fires' | 'must not' | 'cannot tell') => ({[rule]: {label}});
  const few = {
    rules: [rule],
    profiles: {a: of('fires'), b: of('fires'), c: of('must not'), d: of('must not'), e: of('cannot tell')},
  };
  const score = scoreOf(
    rule,
    few,
    new Map(Object.keys(few.profiles).map(name => [name, new Set(name === 'b' || name === 'd' ? [] : [rule])])),
  );

  it('counts findings that are true, false alarms and what is missed, and leaves out what nobody can tell', () => {
    expect(score).toEqual({right: 1, falseAlarms: ['c'], missed: ['b'], precision: 0.5, recall: 0.5});
  });

  it('of several rules has the sums', () => {
    const silent = scoreOf(rule, few, new Map([['a', new Set<string>()]]));
    expect(totalOf([score, silent])).toMatchObject({right: 1, missed: ['b', 'a'], precision: 0.5, recall: 1 / 3});
  });
});
