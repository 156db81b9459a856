import {spawnSync} from 'node:child_process';
import {mkdtempSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {crossCheckJson, programColumns} from '../../src/cli/cross-check-output.js';
import {crossCheckRows} from '../../src/core/benchmark/cross-check-rows.js';
import {tableSources} from '../../src/sql/tables/table-sources.js';
import {reportDefinitions} from '../../src/core/reports/reports.js';
import {cli, run} from '../support/command-line.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const files = [
  join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'),
  writeNsysDatabase(join(folder, 'report.sqlite')),
];

/** Statistics of nsys's reports have the one decimal of a ns that nsys writes. */
const statistic = /(Avg|avg|Med|StdDev|Mean|Median|Wait|Deviation)\b/;

/** The notebook's names of columns, which are ms as docs/estimate.md says: the contract of the command has them. */
const estimateTimes = /^(frac_)?t_(comp|mem|comm|total)?_?(fwd|bwd)$/;

/** PyTorch's names of columns, which the contract of the command has too: their times are ns. */
const keyAverageTimes = /^(Self )?(CPU|CUDA)( total| time avg)?$/;

/** A key that says time without saying in which unit. */
const unitless = /(time|duration|start|end|span|busy|idle|wait|delay|mean|median|(cpu|cuda)( total| time avg)?)$|^t_/i;

const isInNs = (key: string): boolean => /(Ns|_ns)$| \(ns\)$/.test(key) || keyAverageTimes.test(key);

/** Numbers of a JSON value whose keys are not as they should be: times in parts of a ns, times without a unit. */
function faultsIn(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(entry => faultsIn(entry, key));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([member, inside]) => faultsIn(inside, member));
  }
  if (typeof value !== 'number') return [];
  const isNs = isInNs(key);
  if (isNs && !Number.isInteger(value) && !statistic.test(key)) return [`${key}: ${String(value)}`];
  return unitless.test(key) && !isNs && !estimateTimes.test(key) ? [`${key} has no unit`] : [];
}

describe.each(files)('JSON of %s', file => {
  it.each([
    ['info', []],
    ['info', ['--from', '1000']],
    ['ranges', []],
    ['ranges', ['--by', 'path', '--all-figures']],
    ['ranges', ['--by', 'instance']],
    ['flame', ['--weight', 'cpu']],
    ['stats', ['-r', reportDefinitions.map(({id}) => id).join(',')]],
  ] as const)('%s %j has whole ns, or keys that say otherwise', (command, options) => {
    const {stdout} = run(command, file, ...options, '--format', 'json');
    expect([...new Set(faultsIn(JSON.parse(stdout)))]).toEqual([]);
  });
});

const workFolder = mkdtempSync(join(folder, 'work'));

/** What a command prints as JSON, in a folder of its own. */
function printed(...args: string[]): unknown {
  const options = {encoding: 'utf8', cwd: workFolder, env: {...process.env, GPU_LENS_NSYS: '/no/nsys'}} as const;
  const {stdout} = spawnSync(process.execPath, [cli, ...args], options);
  return JSON.parse(stdout) as unknown;
}

describe('JSON of other commands has whole ns, or keys that say otherwise:', () => {
  const sweep = join(workFolder, 'sweep.json');
  writeFileSync(sweep, JSON.stringify({command: ['python3', '-c', 'pass'], warmupSteps: 1, steps: 3}));

  it.each([
    ['bench', ['bench', sweep, '--format', 'json']],
    ['bench --details', ['bench', sweep, '--details', '--format', 'json']],
    ['cross-check', ['cross-check', '--format', 'json', '--name', 'job', '--', 'sh', '-c', 'echo a run']],
    ['estimate', ['estimate', '--model', 'gpt3-175b', '--system', 'a100-40gb', '--format', 'json']],
    ['doctor', ['doctor', '--format', 'json']],
  ] as const)('%s', (_, args) => {
    const value = printed(...args);
    expect(Object.keys(value as object).length).toBeGreaterThan(0);
    expect([...new Set(faultsIn(value))]).toEqual([]);
  });

  it.each(files)('query of every table of %s', file => {
    const tables = Object.keys(tableSources);
    expect(tables.length).toBeGreaterThan(3);
    const rows = tables.flatMap(
      name => printed('query', file, `select * from ${name} limit 500`, '--format', 'json') as unknown[],
    );
    expect(rows.length).toBeGreaterThan(0);
    expect([...new Set(faultsIn(rows))]).toEqual([]);
  });
});

it('crossCheckJson(rows) rounds what is no whole number', () => {
  const run = {eventNs: null, gpuWorkNs: 8.5, profile: null, reason: null} as const;
  const rows = crossCheckRows([
    {...run, watcher: 'timer', stepNs: [10, 11], eventNs: [9, 10]},
    {...run, watcher: 'pytorch', stepNs: [12, 13, 17, 20]},
  ]);
  expect(faultsIn(JSON.parse(crossCheckJson(rows)))).toEqual([]);
  const values = rows.flatMap(row => programColumns.map(({key, value}) => ({[key]: value(row)})));
  expect(faultsIn(values)).toEqual([]);
});

it('faultsIn(value) finds parts of a ns and times without a unit, however deep', () => {
  expect(faultsIn({rows: [{meanNs: 1.5}, {'Total Time (ns)': 3}]})).toEqual(['meanNs: 1.5']);
  expect(faultsIn([{busyTime: 4}])).toEqual(['busyTime has no unit']);
  expect(faultsIn({'Avg (ns)': 1.5, busyNs: 2, name: 'end'})).toEqual([]);
});
