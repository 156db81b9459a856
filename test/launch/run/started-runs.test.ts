import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, utimesSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, it} from 'vitest';
import {messagesFileName, writeRunMessage} from '../../../src/launch/run/run-messages.js';
import {startedRuns} from '../../../src/launch/run/started-runs.js';
import {temporaryFolder} from '../../support/project.js';

const result = {profiles: [], status: 0, isCancelled: false, sentences: [], notes: [], tail: []};
/** A process with the command line of a run, which ends with its input. */
const run = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("runs")', 'profile']);
/** The id of a process that has ended. */
let gone = 0;

beforeAll(async () => {
  const other = spawn(process.execPath, ['-e', '']);
  gone = other.pid ?? 0;
  await Promise.all([once(other, 'exit'), once(run.stdout, 'data')]);
});
afterAll(() => {
  run.stdin.end();
});

it('startedRuns(folder) tells runs that go on from those that have ended, and from those that were killed', async () => {
  const folder = temporaryFolder();
  const began = (pid: number, name: string) => {
    const file = join(folder, messagesFileName(pid));
    writeRunMessage(file, {message: 'began', name, folder: `/w/${name}`});
    return file;
  };
  const running = began(run.pid ?? 0, 'runs.py');
  const killed = began(gone, 'killed.py');
  // An id that no system gives to anybody.
  const ended = began(99_999_999, 'ended.py');
  writeRunMessage(ended, {message: 'ended', result});
  const found = await startedRuns(folder);
  expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    {pid: 99_999_999, file: ended, name: 'ended.py', folder: '/w/ended.py', isRunning: false, result},
    {pid: gone, file: killed, name: 'killed.py', folder: '/w/killed.py', isRunning: false, result: null},
    {pid: run.pid, file: running, name: 'runs.py', folder: '/w/runs.py', isRunning: true, result: null},
  ]);
});

it('startedRuns(folder) removes what nobody will ask for, and nothing of a process that runs', async () => {
  const folder = temporaryFolder();
  const [silent, old, kept] = [gone, 99_999_999, run.pid ?? 0].map(pid => join(folder, messagesFileName(pid)));
  writeFileSync(silent ?? '', 'no message\n');
  for (const file of [old ?? '', kept ?? '']) {
    writeRunMessage(file, {message: 'began', name: 'a.py', folder: '/w/a'});
    utimesSync(file, 0, 0);
  }
  expect((await startedRuns(folder)).map(({file}) => file)).toEqual([kept]);
  expect([silent, old, kept].map(file => existsSync(file ?? ''))).toEqual([false, false, true]);
  expect(await startedRuns(join(folder, 'not there'))).toEqual([]);
});

it.skipIf(process.platform !== 'linux')('a process that was given the id of a run is none', async () => {
  const folder = temporaryFolder();
  writeRunMessage(join(folder, messagesFileName(process.pid)), {message: 'began', name: 'a.py', folder: '/w/a'});
  expect(await startedRuns(folder)).toMatchObject([{isRunning: false, result: null}]);
});
