import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, expect, it} from 'vitest';
import {json, run} from '../support/command-line.js';
import {captureEvents, replayEvents} from '../support/graph-traces.js';
import {kinetoText} from '../support/kineto-events.js';

const folder = mkdtempSync(join(tmpdir(), 'gpu-lens-capture-'));
afterAll(() => {
  rmSync(folder, {recursive: true});
});

const profile = join(folder, 'decode.pt.trace.json');
const capture = join(folder, 'capture.pt.trace.json');
const step = [
  {name: 'gemm', dur: 10},
  {name: 'relu_kernel', dur: 4},
];
writeFileSync(profile, kinetoText(replayEvents([step, step])));
writeFileSync(
  capture,
  kinetoText(
    captureEvents([
      [
        {operator: 'aten::addmm', kernel: 'gemm'},
        {operator: 'aten::relu', kernel: 'relu_kernel'},
      ],
    ]),
  ),
);

it('--capture gives replayed work its operators, in every command that takes it', () => {
  const {stdout} = run('ranges', profile, '--kinds', 'op', '--capture', capture, '--format', 'csv');
  expect(stdout).toMatch(/aten::addmm,.*\naten::relu,/);
  const {stdout: flame} = run('flame', profile, '--capture', capture);
  expect(flame).toBe('decode;aten::addmm;gemm 20000\ndecode;aten::relu;relu_kernel 8000\n');
  const sql = 'SELECT operator, sum(duration_ns) AS ns FROM kernels GROUP BY operator ORDER BY operator';
  expect(json('query', profile, sql, '--capture', capture)).toEqual([
    {operator: 'aten::addmm', ns: 20_000},
    {operator: 'aten::relu', ns: 8000},
  ]);
  expect(json('query', profile, sql)).toEqual([{operator: null, ns: 28_000}]);
  expect(run('findings', profile, '--verify', '--capture', capture).status).toBe(0);
  expect(run('compare', profile, profile, '--by', 'op', '--capture', capture).stdout).toContain('aten::addmm');
  expect(run('info', profile, '--capture', capture).stdout).toContain(
    '28.0 µs of 28.0 µs of work that graphs replayed',
  );
});

it('leaves what a GPU did as it is', () => {
  for (const report of ['cuda_gpu_kern_sum', 'cuda_api_sum', 'cuda_kern_exec_sum', 'gpu_timeline', 'launch_sum']) {
    const {stdout} = run('stats', profile, '-r', report, '--format', 'json');
    expect(run('stats', profile, '-r', report, '--format', 'json', '--capture', capture).stdout).toBe(stdout);
  }
});

it('refuses what is no capture of it in one sentence', () => {
  const {status, stdout, stderr} = run('ranges', profile, '--capture', profile);
  expect({status, stdout, stderr}).toEqual({
    status: 1,
    stdout: '',
    stderr:
      'gpu-lens: decode.pt.trace.json shows no graph being captured: record the run that captures it, with Python stacks.\n',
  });
  expect(run('ranges', profile, '--capture', join(folder, 'absent.json')).status).toBe(1);
});
