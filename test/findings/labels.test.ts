import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {allRules} from '../../src/core/findings/rules/all-rules.js';
import {project} from '../support/project.js';
import {dataFolder, hasData} from '../support/real-data.js';
import {rulesThatFire} from './rules-that-fire.js';
import {readLabels, scoreOf, totalOf} from './score.js';

const labels = readLabels(project);
const ruleIds = allRules.map(({id}) => id);

it('each labelled profile has a label for each rule that there is; labels may come first', () => {
  expect(labels.rules).toEqual(expect.arrayContaining(ruleIds));
  for (const [profile, rules] of Object.entries(labels.profiles)) {
    expect(Object.keys(rules).sort(), profile).toEqual([...labels.rules].sort());
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

describe.skipIf(!hasData)('over the labelled profiles', () => {
  let found: Map<string, Set<string>>;
  beforeAll(async () => {
    found = await rulesThatFire(dataFolder, labels, profile => console.warn(`GPU Lens does not read ${profile}.`));
  }, 600_000);

  it('every labelled profile is there', () => {
    const absent = Object.keys(labels.profiles).filter(profile => !existsSync(join(dataFolder, profile)));
    expect(absent).toEqual([]);
  });

  it('at least 95 % of the findings are true, and 90 % of what an expert would report is found', () => {
    const {precision, recall, falseAlarms, missed} = totalOf(ruleIds.map(rule => scoreOf(rule, labels, found)));
    const wrong = `False alarms: ${falseAlarms.join(', ')}. Missed: ${missed.join(', ')}.`;
    expect(precision, wrong).toBeGreaterThanOrEqual(0.95);
    expect(recall, wrong).toBeGreaterThanOrEqual(0.9);
  });
});
