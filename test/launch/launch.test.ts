import {chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {findPython} from '../../src/launch/python/python-interpreter.js';
import {askForWindow} from '../../src/launch/run/run-control.js';
import {createRunFolder, freeReserve} from '../../src/launch/run/run-folder.js';
import {runnerCommand} from '../../src/launch/run/runner-command.js';
import {temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();

function program(...path: string[]): string {
  const file = join(folder, ...path);
  mkdirSync(join(file, '..'), {recursive: true});
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

describe('findPython(hints)', () => {
  const venv = program('workspace', '.venv', 'bin', 'python');
  const other = program('other', 'python3.11');
  const onPath = program('path', 'python3');
  const inFolder = program('conda', 'bin', 'python');
  const workspace = join(folder, 'workspace');
  const hints = {selected: null, setting: null, workspaceFolders: [workspace], searchPath: join(folder, 'path')};

  it('takes the Python extension’s, then the setting’s, then the workspace’s, then that on PATH', async () => {
    const all = {...hints, selected: other, setting: onPath};
    expect(await findPython(all)).toEqual({path: other, chosenBy: 'the Python extension'});
    expect(await findPython({...all, selected: null})).toMatchObject({path: onPath});
    expect(await findPython(hints)).toEqual({path: venv, chosenBy: 'the virtual environment .venv'});
    expect(await findPython({...hints, workspaceFolders: []})).toEqual({path: onPath, chosenBy: 'PATH'});
  });

  it('passes over a selected one that cannot be run', async () => {
    expect(await findPython({...hints, selected: '/no/such/python'})).toMatchObject({path: venv});
  });

  it('takes the interpreter in a folder that is selected, and no folder for an interpreter', async () => {
    expect(await findPython({...hints, selected: join(folder, 'conda')})).toMatchObject({path: inFolder});
    await expect(findPython({...hints, setting: join(folder, 'conda')})).rejects.toThrow('cannot be run');
  });

  it('takes a setting from the workspace folder, and a name on PATH', async () => {
    expect(await findPython({...hints, setting: '.venv/bin/python'})).toMatchObject({path: venv});
    expect(await findPython({...hints, setting: 'python3'})).toMatchObject({path: onPath});
  });

  it('says what is wrong with a setting, and when there is none at all', async () => {
    await expect(findPython({...hints, setting: '/no/python'})).rejects.toMatchObject({
      code: 'launch/no-python',
      message: 'The setting gpuLens.python names /no/python, which cannot be run.',
    });
    await expect(findPython({...hints, workspaceFolders: [], searchPath: ''})).rejects.toMatchObject({
      code: 'launch/no-python',
    });
  });
});

it('createRunFolder(workspace, script, at) makes a folder that keeps itself out of git', async () => {
  const workspace = join(folder, 'project');
  const at = new Date('2026-03-04T05:06:07Z');
  const output = join(workspace, '.gpu-lens');
  const run = await createRunFolder(output, '/x/train model.py', at);
  expect(run.path).toBe(join(workspace, '.gpu-lens', 'runs', '20260304-050607-train_model'));
  expect(statSync(run.path).isDirectory()).toBe(true);
  writeFileSync(join(workspace, '.gpu-lens', '.gitignore'), 'mine\n');
  const again = await createRunFolder(output, '/x/train model.py', at);
  expect(again.path).toBe(`${run.path}-2`);
  expect(readFileSync(join(workspace, '.gpu-lens', '.gitignore'), 'utf8')).toBe('mine\n');
});

it('createRunFolder(output, name, at) leaves git alone in a folder that was there before', async () => {
  const output = join(folder, 'results');
  mkdirSync(output);
  const run = await createRunFolder(output, 'über uns.sh', new Date('2026-03-04T05:06:07Z'));
  expect(run.path).toBe(join(output, 'runs', '20260304-050607-über_uns'));
  expect(readdirSync(output)).toEqual(['runs']);
});

it('askForWindow(runFolder) adds a line to the file that a run’s processes look at', async () => {
  const run = await createRunFolder(join(folder, 'asked'), 'a.py', new Date());
  await askForWindow(run.path);
  await askForWindow(run.path);
  expect(readFileSync(run.controlFile, 'utf8')).toBe('{"v":1,"request":"window"}\n'.repeat(2));
  await expect(askForWindow(join(folder, 'gone'))).rejects.toThrow(/ENOENT/);
});

it('runnerCommand(request) is an array of arguments, with the script’s own at the end', () => {
  const {program: python, args} = runnerCommand({
    python: '/usr/bin/python3',
    runner: '/ext/runner',
    folder: '/w/run',
    root: '/w',
    parent: 4711,
    command: ['/usr/bin/python3', '/w/my script.py', '--name', 'a b; rm -rf /'],
    recording: {step: 'range:train step', shapes: false},
    timesSteps: true,
    instead: null,
  });
  expect(python).toBe('/usr/bin/python3');
  expect(args.join('\n')).toBe(
    `/ext/runner
--out
/w/run
--events
/w/run/events.jsonl
--control
/w/run/control.jsonl
--root
/w
--parent
4711
--times
--step
range:train step
--no-shapes
--
/usr/bin/python3
/w/my script.py
--name
a b; rm -rf /`,
  );
});

describe('createRunFolder(output, name, at)', () => {
  it('keeps room for what a run tells where its disk is full, until that has ended', async () => {
    const run = await createRunFolder(join(folder, 'roomy'), 'a.py', new Date());
    expect(statSync(`${run.eventsFile}.reserve`).size).toBe(65_536);
    await freeReserve(run);
    await freeReserve(run);
    expect(readdirSync(run.path)).toEqual([]);
  });

  it('says why no run can be kept there', async () => {
    writeFileSync(join(folder, 'a file'), '');
    await expect(createRunFolder(join(folder, 'a file', 'runs'), 'a.py', new Date())).rejects.toMatchObject({
      code: 'file/unwritable',
      message: `No run can be kept in ${join(folder, 'a file', 'runs')}: there is a file where a folder should be.`,
    });
  });
});
