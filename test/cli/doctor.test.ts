import {spawnSync} from 'node:child_process';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {expectSchema} from '../support/json-schema.js';
import {project} from '../support/project.js';

function doctor(...args: string[]) {
  const cli = join(project, 'dist', 'cli.cjs');
  return spawnSync(process.execPath, [cli, 'doctor', ...args], {encoding: 'utf8'});
}

it('gpu-lens doctor gives an array of checks, with a remedy for each that fails', () => {
  const {status, stdout} = doctor('--python', 'python3', '--format', 'json');
  expect(status).toBe(0);
  expectSchema('doctor', stdout);
  const checks = JSON.parse(stdout) as {check: string; ok: boolean; found: string; remedy: string | null}[];
  expect(checks.map(({check}) => check)).toEqual(
    expect.arrayContaining(['Python', 'PyTorch', 'GPU and driver', 'GPU counters', 'Nsight Systems', 'Nsight Compute']),
  );
  for (const check of checks) {
    expect(Object.keys(check)).toEqual(['check', 'ok', 'found', 'remedy']);
    expect(check.found).not.toBe('');
    expect(check.remedy === null).toBe(check.ok);
  }
});

it('gpu-lens doctor takes no file', () => {
  expect(doctor('a.json').status).toBe(2);
});
