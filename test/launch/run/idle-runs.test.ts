import {chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it} from 'vitest';
import {idleRuns, noteIdleRun, runsNamed} from '../../../src/launch/run/idle-runs.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const notes = join(folder, 'notes');
const run = join(folder, '20261123-100000-train');
mkdirSync(run);
writeFileSync(join(run, 'events.jsonl'), '{"v":1,"event":"armed","pid":4711}\nrubbish\n');

it('noteIdleRun(run) lets its owner alone find it, until it is over', async () => {
  const end = await noteIdleRun({pid: process.pid, name: 'train.py', folder: run, job: '99'}, notes);
  expect(statSync(notes).mode & 0o777).toBe(0o700);
  const found = await idleRuns(notes);
  expect(found).toMatchObject([{pid: process.pid, name: 'train.py', folder: run, job: '99'}]);
  for (const word of [String(process.pid), '4711', 'train.py', 'train', run, '20261123-100000-train', '99']) {
    expect(await runsNamed(found, word), word).toHaveLength(1);
  }
  for (const word of ['4712', 'rain', '']) expect(await runsNamed(found, word), word).toEqual([]);
  await end();
  expect(await idleRuns(notes)).toEqual([]);
});

it('idleRuns() forgets runs of this machine that have ended', async () => {
  await noteIdleRun({pid: 2 ** 22 + 1, name: 'gone.py', folder: run, job: null}, notes);
  expect(await idleRuns(notes)).toEqual([]);
  expect(readdirSync(notes)).toEqual([]);
});

it('idleRuns() trusts no folder that others can write to', async () => {
  await noteIdleRun({pid: process.pid, name: 'train.py', folder: run, job: null}, notes);
  chmodSync(notes, 0o777);
  expect(await idleRuns(notes)).toEqual([]);
  expect(existsSync(join(notes, readdirSync(notes)[0] ?? ''))).toBe(true);
});
