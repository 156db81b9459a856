import {chmodSync, copyFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
let picked: string | undefined;
let typed: string | undefined;
const asked: string[] = [];
const uriOf = (path: string) => ({fsPath: path, scheme: 'file'});

vi.mock('../../../src/host/base/ask.js', () => ({
  askText: ({title}: {title: string}) => {
    asked.push(title);
    return Promise.resolve(typed);
  },
}));
vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  window: {
    activeTextEditor: undefined,
    showOpenDialog: () => Promise.resolve(picked === undefined ? undefined : [uriOf(picked)]),
  },
  workspace: {workspaceFolders: undefined, getWorkspaceFolder: () => undefined},
}));
const {anyFileChoice} = await import('../../../src/host/run/choices/file-choices.js');

/** Picks a file, and what is typed as its arguments. */
async function plan(path: string | undefined, args: string | undefined = '') {
  [picked, typed] = [path, args];
  return (await anyFileChoice().plan?.())?.definition;
}

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

beforeEach(() => {
  asked.length = 0;
});

it('anyFileChoice() runs a program in its folder, with the arguments that were typed', async () => {
  const program = join(folder, 'my bench ä');
  copyFileSync(process.execPath, program);
  chmodSync(program, 0o755);
  expect(await plan(program, '--size 3 "two words"')).toEqual({
    ...{type: 'gpu-lens', command: program, cwd: folder},
    args: ['--size', '3', 'two words'],
  });
  expect(asked).toEqual(['Arguments of my bench ä']);
});

it('anyFileChoice() runs scripts by what reads them', async () => {
  const python = write('train.py', 'import torch\n');
  expect(await plan(python)).toEqual({type: 'gpu-lens', script: python, cwd: folder});
  const shell = write('run.sh', 'python train.py\n');
  expect(await plan(shell, '-x')).toEqual({type: 'gpu-lens', command: 'bash', args: [shell, '-x'], cwd: folder});
  const interpreted = write('launch', '#!/usr/bin/env python3\nimport torch\n');
  expect(await plan(interpreted)).toEqual({type: 'gpu-lens', command: interpreted, cwd: folder});
});

it('anyFileChoice() runs nothing where the user gives up', async () => {
  expect(await plan(undefined)).toBeUndefined();
  expect(asked).toEqual([]);
  [picked, typed] = [join(folder, 'train.py'), undefined];
  expect(await anyFileChoice().plan?.()).toBeUndefined();
});
