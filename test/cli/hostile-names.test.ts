import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {run} from '../support/command-line.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {temporaryFolder} from '../support/project.js';

const path = join(temporaryFolder(), 'hostile.json');
const name = '=cmd|x\u001b]52;c;Y2F0\u0007\u0000\u009b31m\u202egpj';
writeFileSync(
  path,
  kinetoText([
    kineto.range(name, 1000, 100),
    kineto.op(name, 1010, 40),
    kineto.call(9, 1020, 5),
    {...kineto.kernel(9, 1030, 40), name},
  ]),
);
const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

const commands: readonly (readonly string[])[] = [
  ['info', path],
  ['ranges', path],
  ['stats', path, '-r', 'cuda_gpu_kern_sum'],
  ['stats', path, '-r', 'key_averages'],
  ['query', path, 'select * from slices'],
];

describe.each(['table', 'csv', 'markdown', 'json'])('--format %s', format => {
  it.each(commands)('%s %s writes nothing that a terminal obeys', (...args) => {
    const {status, stdout, stderr} = run(...args, '--format', format);
    expect(status).toBe(0);
    expect(stdout + stderr).not.toMatch(obeyed);
    if (format === 'csv') expect(stdout).not.toMatch(/(^|,)"?[=@]/m);
  });
});

it.each(['folded', 'speedscope', 'json'])('flame --format %s writes nothing that a terminal obeys', format => {
  expect(run('flame', path, '--format', format).stdout).not.toMatch(obeyed);
});

it('--exact writes what is in the file', () => {
  expect(run('query', path, 'select name from slices', '--format', 'csv', '--exact').stdout).toContain(name);
});

it('messages about a file with such a name are neutral', () => {
  expect(run('info', '\u001b[2J\u202e.json').stderr).not.toMatch(obeyed);
});
