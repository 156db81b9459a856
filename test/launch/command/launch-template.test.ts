import {spawnSync} from 'node:child_process';
import {describe, expect, it} from 'vitest';
import {fillTemplate, parseLaunchTemplate} from '../../../src/launch/command/launch-template.js';
import {shellQuoted} from '../../../src/launch/command/shell-quoted.js';

const values = {
  id: 'gpu-lens-1',
  runFolder: '/w/runs/1',
  recorder: '/ext/runner',
  folder: '/tmp/gpu-lens-1',
  workingFolder: "/home/me/it's here",
  command: ['python', 'a b.py', '$HOME; ls'],
};

describe('fillTemplate(part, values)', () => {
  it('replaces an argument that is the command by its arguments', () => {
    expect(fillTemplate(['srun', '{command}', '--job={id}'], values)).toEqual([
      ...['srun', 'python', 'a b.py', '$HOME; ls', '--job=gpu-lens-1'],
    ]);
  });

  it('replaces a command inside an argument by a line that a shell reads as these arguments', () => {
    const [line = ''] = fillTemplate(['{commandLine}; true'], {
      ...values,
      workingFolder: '/',
      command: ['printf', '<%s>', 'a b', "it's", '$HOME', ''],
    });
    expect(spawnSync('sh', ['-c', line.replace(/; true$/, '')], {encoding: 'utf8'}).stdout).toBe(
      "<a b><it's><$HOME><>",
    );
  });

  it('replaces a placeholder once, whatever the value holds, and leaves unknown ones', () => {
    expect(fillTemplate(['{folder}/{what}', '{constructor}'], {...values, folder: '{id}'})).toEqual([
      ...['{id}/{what}', '{constructor}'],
    ]);
  });
});

it('shellQuoted(args) is read by a shell as the same arguments, whatever is in them', () => {
  const args = ['plain', '', ' ', "'", '"', '\\', '$(ls)', '`ls`', 'a\nb', '*', '~', '#', '!x', 'é', '-n', "''"];
  const {stdout} = spawnSync('sh', ['-c', `printf '%s\\0' ${shellQuoted(args)}`], {encoding: 'utf8'});
  expect(stdout.split('\0').slice(0, -1)).toEqual(args);
});

it.each([
  ['no', 'The launch template is not JSON.'],
  ['[]', 'The launch template is not an object.'],
  ['{"rum": ["a"]}', 'The launch template has an unknown part "rum".'],
  ['{}', 'The launch template has no part "run".'],
  [
    '{"run": "ssh {command}"}',
    'The launch template needs a list of texts as its part "run": a program and its arguments.',
  ],
  [
    '{"run": ["ssh"]}',
    'The launch template needs "{command}" as an argument of its part "run", or "{commandLine}" in one.',
  ],
  ['{"run": ["sh", "{command}"], "folder": 3}', 'The launch template needs a text as its part "folder".'],
  [
    '{"run": ["ssh", "{commandLine}"], "folder": "/tmp/x"}',
    'The launch template needs all of "folder", "carry" and "fetch", or none where both places share the files.',
  ],
])('parseLaunchTemplate(%j) says what is wrong', (text, message) => {
  expect(() => parseLaunchTemplate(text)).toThrow(message);
});
