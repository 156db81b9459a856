import {existsSync} from 'node:fs';
import {join} from 'node:path';
import {beforeAll, describe, expect, it} from 'vitest';
import {allRules} from '../../src/core/findings/rules/all-rules.js';
import {idleAnswers, idleCauses, idleOf, idleSummary} from '../../src/core/findings/rules/idle-sql.js';
import type {FactValue} from '../../src/core/findings/rules/rule.js';
import {gpuSummary} from '../../src/core/questions/info.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {columnDetails} from '../../src/sql/needed-details.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {itEachFile} from '../support/each-file.js';
import {cell, findingsIn} from '../support/findings.js';
import {project} from '../support/project.js';
import {dataFiles, dataFolder, hasData} from '../support/real-data.js';
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

/** The rules that find something, by profile: what a test has read already is not read again. */
const fired = new Map<string, ReadonlySet<string>>();

const checkedFiles = [
  ...dataFiles('kineto', '.json.gz').map(file => ({...file, profile: `kineto/${file.name}`})),
  ...dataFiles('nsys', '.sqlite').map(file => ({...file, profile: `nsys/${file.name}`})),
];

itEachFile(checkedFiles)(
  'findings in $name are numbers that their queries give one by one, and causes of idle time add up to all of it',
  async ({path, profile}) => {
    const trace = await openTrace(path);
    const details = await loadReportDetails(path, trace, columnDetails);
    const database = new TraceDatabase();
    database.addDetails(details);
    const findings = await findingsIn(trace, details);
    fired.set(profile, new Set(findings.map(({rule}) => rule)));
    // A query that several findings ask gives each of them the same.
    const cells = new Map<string, FactValue>();
    const ask = async (query: string): Promise<FactValue> => {
      const known = cells.get(query);
      if (known !== undefined) return known;
      const value = await cell(trace, query, database);
      cells.set(query, value);
      return value;
    };
    for (const {evidence} of findings) {
      for (const {query, value} of evidence) expect(await ask(query)).toBe(value);
    }
    const ofAll = idleAnswers(await cell(trace, idleSummary, database));
    let idleNs = 0;
    for (const cause of idleCauses) {
      const causeNs = Number(await ask(idleOf(cause)));
      expect(ofAll.get(idleOf(cause)), cause).toBe(causeNs);
      idleNs += causeNs;
    }
    const devices = new Set(trace.gpuOperations.device);
    if (devices.size === 1) expect(idleNs).toBe(gpuSummary(trace).idleNs);
  },
);

describe.skipIf(!hasData)('over the labelled profiles', () => {
  let found: ReadonlyMap<string, ReadonlySet<string>>;
  beforeAll(async () => {
    const tellUnread = (profile: string) => console.warn(`GPU Lens does not read ${profile}.`);
    found = await rulesThatFire(dataFolder, labels, tellUnread, fired);
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
