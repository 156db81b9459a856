import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {reportDefinitions} from '../../src/core/stats/reports.js';
import {run} from '../support/command-line.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const files = [
  join(project, 'media', 'sample', 'profile', 'train.pt.trace.json.gz'),
  writeNsysDatabase(join(folder, 'report.sqlite')),
];

/** Statistics of nsys's reports have the one decimal of a ns that nsys writes. */
const statistic = /(Avg|Med|StdDev|Mean|Median|Wait|Deviation)\b/;

/** PyTorch's own names of columns, which are in ns as docs/metrics.md says. */
const pytorchTimes = /^(Self )?(CPU|CUDA)( total| time avg)?$/;

/** A key that says time without saying in which unit. */
const unitless = /(time|duration|start|end|span|busy|idle|wait|delay)$/i;

/** Numbers of a JSON value whose keys are not as they should be: times in parts of a ns, times without a unit. */
function faultsIn(value: unknown, key = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(entry => faultsIn(entry, key));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([member, inside]) => faultsIn(inside, member));
  }
  if (typeof value !== 'number') return [];
  const isNs = /Ns$| \(ns\)$/.test(key);
  if (isNs && !Number.isInteger(value) && !statistic.test(key)) return [`${key}: ${String(value)}`];
  return unitless.test(key) && !pytorchTimes.test(key) ? [`${key} has no unit`] : [];
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

it('faultsIn(value) finds parts of a ns and times without a unit, however deep', () => {
  expect(faultsIn({rows: [{meanNs: 1.5}, {'Total Time (ns)': 3}]})).toEqual(['meanNs: 1.5']);
  expect(faultsIn([{busyTime: 4}])).toEqual(['busyTime has no unit']);
  expect(faultsIn({'Avg (ns)': 1.5, busyNs: 2, name: 'end'})).toEqual([]);
});
