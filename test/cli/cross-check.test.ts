import {spawnSync} from 'node:child_process';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {crossCheckRows} from '../../src/core/benchmark/cross-check-rows.js';
import {crossCheckJson, crossCheckPage} from '../../src/cli/cross-check-output.js';
import {expectSchema} from '../support/json-schema.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

function crossCheck(...args: string[]) {
  const {status, stdout, stderr} = spawnSync(
    process.execPath,
    [join(project, 'dist', 'cli.cjs'), 'cross-check', ...args],
    {encoding: 'utf8', cwd: folder, env: {...process.env, GPU_LENS_NSYS: '/no/nsys'}},
  );
  return {status, stdout, stderr};
}

it('gpu-lens cross-check says of each way why it has no figures, and fails where none has', () => {
  const {status, stdout, stderr} = crossCheck('--format', 'json', '--name', 'job', '--', 'sh', '-c', 'echo a run');
  expect(status).toBe(1);
  expectSchema('cross-check', stdout);
  const rows = JSON.parse(stdout) as {watcher: string; steps: number; reason: string}[];
  expect(rows.map(({watcher, steps, reason}) => [watcher, steps, reason])).toEqual([
    [
      'timer',
      0,
      'job ran, but nothing was recorded: it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys).',
    ],
    [
      'pytorch',
      0,
      'job ran, but nothing was recorded: it did not import torch, or its Python could not be reached. Leave out -E, -I and -S of a Python; where PYTHONPATH is set, write PYTHONPATH=src:$PYTHONPATH; instead of env -i, use env -u NAME. For a program without Python, record with nsys (profiler: nsys).',
    ],
    ['nsys', 0, '/no/nsys, which GPU_LENS_NSYS names, is not a program.'],
  ]);
  // Each of the two that could be run ran it once.
  expect(stderr.match(/^a run$/gm)).toHaveLength(2);
  expect(stderr).toMatch(/gpu-lens: No step of job was measured: job ran, but nothing was recorded/);
  const [kept = ''] = readdirSync(join(folder, '.gpu-lens', 'cross-checks'));
  expect(readFileSync(join(folder, '.gpu-lens', 'cross-checks', kept, 'cross-check.json'), 'utf8')).toBe(stdout);
  expect(existsSync(join(folder, '.gpu-lens', 'cross-checks', kept, 'cross-check.csv'))).toBe(true);
});

it('gpu-lens cross-check says that nsys cannot measure where a launch template runs the command', () => {
  const template = JSON.stringify({run: ['env', '{command}']});
  const {stdout} = crossCheck('--launch-template', template, '--format', 'json', '--', 'sh', '-c', 'true');
  const rows = JSON.parse(stdout) as {watcher: string; reason: string}[];
  expect(rows.find(({watcher}) => watcher === 'nsys')?.reason).toMatch(/not where the launch template runs it/);
});

it('gpu-lens cross-check needs a command', () => {
  expect(crossCheck()).toEqual({
    ...{status: 2, stdout: ''},
    stderr: 'gpu-lens: cross-check needs a command, after "--". See gpu-lens cross-check --help.\n',
  });
});

it('crossCheckPage(name, rows, path) is a table with links to the profiles, and names are text', () => {
  const run = {eventNs: null, gpuWorkNs: null, profile: null, reason: null};
  const rows = crossCheckRows([
    {...run, watcher: 'timer', stepNs: [10e6, 12e6], eventNs: [9e6, 11e6]},
    {...run, watcher: 'pytorch', stepNs: [12e6, 13e6], gpuWorkNs: 8e6, profile: '/w/runs/a b/t<i>.json.gz'},
    {...run, watcher: 'nsys', stepNs: [], reason: 'nsys | was not found.'},
  ]);
  expectSchema('cross-check', crossCheckJson(rows));
  const page = crossCheckPage('t<i>.py', rows, '/w/cross-checks/1/cross-check.md');
  // Two steps against two have no interval.
  expect(page).toContain(
    [
      '| plain timer | 2 | 11.0 ms ± 1.41 ms | 11.0 ms | 10.0 ms | 10.0 ms | – | – |  |',
      '| PyTorch profiler | 2 | 12.5 ms ± 707 µs | 12.5 ms | 12.0 ms | – | 8.00 ms | not measurable |  |',
      '| Nsight Systems | 0 | – | – | – | – | – | – | nsys \\| was not found. |',
    ].join('\n'),
  );
  expect(page).toContain('# Cross-check of t\\<i\\>\\.py');
  expect(page).toContain('(<../../runs/a%20b/t%3Ci%3E.json.gz>)');
});
