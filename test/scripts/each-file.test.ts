import {spawnSync} from 'node:child_process';
import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {readVitest} from '../../scripts/lib/suite/read-reports.mjs';
import {reasonOf, skipConditions} from '../../scripts/lib/suite/skip-reasons.mjs';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

it('a test over real profiles that are absent is one that is skipped, with the reason', () => {
  const report = join(folder, 'report.json');
  const notes = join(folder, 'notes.json');
  const files = ['test/importers/kineto/thread-ids.test.ts', 'test/core/questions/slice-facts.test.ts'];
  const reporters = ['json', './scripts/lib/suite/skip-reporter.mjs'].map(name => `--reporter=${name}`);
  const vitest = join(project, 'node_modules', 'vitest', 'vitest.mjs');
  const {status} = spawnSync(process.execPath, [vitest, 'run', ...files, ...reporters, `--outputFile.json=${report}`], {
    cwd: project,
    env: {...process.env, GPU_LENS_DATA: '', GPU_LENS_SKIP_NOTES: notes},
  });
  const {failed, skips} = readVitest(report, notes);
  expect([status, failed]).toEqual([0, 0]);
  expect(skips.map(({name}) => name.replace(/^.*› /, '')).sort()).toEqual([
    expect.stringMatching(/and a real profile has one track for each$/),
    'sliceFacts(trace, slice, args) of a real profile begins with what a kernel was launched with, and its theoretical occupancy',
    'sliceFacts(trace, slice, args) of a real profile has the bandwidth of copies that the file has',
    'sliceFacts(trace, slice, args) of a real profile tells the same of kernels, in the same order, by the limits in the report',
  ]);
  for (const {reason} of skips) expect(reason).toContain('GPU_LENS_DATA');
});

const testFiles = globSync('test/**/*.{test,e2e}.ts', {cwd: project});

it('each condition on which a test is skipped has its reason in words', () => {
  const conditions = new Set(testFiles.flatMap(file => skipConditions(join(project, file))));
  expect([...conditions].filter(condition => reasonOf(condition) === undefined)).toEqual([]);
  // For these no reason can be found, and a test that returns counts as one that passed.
  const others =
    /\b(?:it|describe)\.runIf\(|\bcontext\.skip\(|\bskip\(\)|if \(process\.platform [!=]== '\w+'\) return;/;
  expect(testFiles.filter(file => others.test(readFileSync(join(project, file), 'utf8')))).toEqual([]);
});

it('tests over real profiles are written with itEachFile and describeEachFile', () => {
  const wrong = testFiles.filter(file => {
    const text = readFileSync(join(project, file), 'utf8');
    const lists = [...text.matchAll(/const (\w+) =[^;]*?\bdataFiles\(/g)].map(([, name]) => name ?? '');
    const each = [...text.matchAll(/\b(?:it|describe)(?:\.\w+(?:\([^)]*\))?)?\.each\(([^)]*)/g)].map(
      ([, over]) => over ?? '',
    );
    return each.some(over => over.includes('dataFiles') || lists.includes(over));
  });
  expect(wrong).toEqual([]);
});
