import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, it, vi} from 'vitest';
import {claimRun} from '../../../src/launch/run/claim-run.js';
import type {ProfileResult} from '../../../src/launch/run/profile-result.js';
import {messagesFileName, writeRunMessage} from '../../../src/launch/run/run-messages.js';
import {patience} from '../../support/patience.js';
import {temporaryFolder} from '../../support/project.js';

const said: string[] = [];
const titles: string[] = [];
let pressed: string | undefined;
/** What Cancel of the notification does. */
let cancel: () => void = () => undefined;

vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  ProgressLocation: {Notification: 15},
  window: {
    showInformationMessage: (text: string, ...buttons: string[]) => {
      said.push([text, ...buttons].join(' | '));
      return Promise.resolve(pressed);
    },
    withProgress: (
      {title}: {title: string},
      run: (progress: object, token: {onCancellationRequested: (listener: () => void) => void}) => unknown,
    ) => {
      titles.push(title);
      return run({report: () => undefined}, {onCancellationRequested: listener => (cancel = listener)});
    },
  },
  workspace: {
    isTrusted: true,
    workspaceFolders: [{uri: {fsPath: '/w'}}],
    getConfiguration: () => ({get: () => undefined}),
  },
}));
const {findEarlierRuns, offerEarlierRun} = await import('../../../src/host/run/earlier-runs.js');

const log = {info: vi.fn(), warn: vi.fn()} as never;
const profile = {path: '/w/run/train.json', kind: 'steps', steps: 3, rank: null};
const result: ProfileResult = {
  profiles: [profile],
  ...{status: 0, isCancelled: false, sentences: ['It failed.'], notes: [], tail: []},
};

beforeEach(() => {
  said.length = titles.length = 0;
  pressed = undefined;
});

it('findEarlierRuns() follows a run that goes on to its end, and hands over those that have ended', async () => {
  const messages = temporaryFolder();
  // A process with the command line of a run, which ends as it is asked to.
  const run = spawn(process.execPath, ['-e', 'process.stdin.resume(); console.log("runs")', 'profile']);
  await once(run.stdout, 'data');
  const pid = run.pid ?? 0;
  const file = (id: number) => join(messages, messagesFileName(id));
  const began = (id: number, name: string, folder: string) => {
    writeRunMessage(file(id), {message: 'began', name, folder});
  };
  began(pid, 'goes-on.py', '/w/.gpu-lens/runs/a');
  began(99_999_998, 'ended.py', '/w/.gpu-lens/runs/b');
  writeRunMessage(file(99_999_998), {message: 'ended', result});
  began(99_999_999, 'elsewhere.py', '/other/.gpu-lens/runs/c');
  const ends: unknown[] = [];
  const followed = new Set<number>();
  const onEnd = (name: string, {sentences}: ProfileResult, wasSeen: boolean) => {
    ends.push([name, sentences, wasSeen]);
    // The one that goes on is cancelled when the other has been told of.
    cancel();
    return Promise.resolve();
  };
  await findEarlierRuns(messages, {followed, onEnd, log});
  expect(titles).toEqual(['goes-on.py is still being profiled']);
  expect(ends).toEqual([
    ['ended.py', ['It failed.'], false],
    ['goes-on.py', [expect.stringMatching(/^Profiling goes-on.py was ended from outside/)], true],
  ]);
  expect([pid, 99_999_998, 99_999_999].map(id => existsSync(file(id)))).toEqual([false, false, true]);
  expect(followed.size).toBe(0);
});

it('findEarlierRuns() leaves alone what is followed', async () => {
  const messages = temporaryFolder();
  writeRunMessage(join(messages, messagesFileName(99_999_999)), {message: 'began', name: 'a.py', folder: '/w/a'});
  const onEnd = vi.fn();
  await findEarlierRuns(messages, {followed: new Set([99_999_999]), onEnd, log});
  expect(onEnd).not.toHaveBeenCalled();
});

it('findEarlierRuns() leaves a run to the window that follows it', async () => {
  const messages = temporaryFolder();
  const file = join(messages, messagesFileName(99_999_999));
  writeRunMessage(file, {message: 'began', name: 'a.py', folder: '/w/a'});
  const claim = await claimRun(file, true);
  const onEnd = vi.fn();
  const followed = new Set<number>();
  const finding = findEarlierRuns(messages, {followed, onEnd, log});
  await vi.waitFor(() => {
    expect(followed.size).toBe(1);
  }, patience);
  writeRunMessage(file, {message: 'ended', result});
  claim?.done();
  await finding;
  expect(onEnd).not.toHaveBeenCalled();
  expect(readdirSync(messages)).toEqual([]);
});

it('claimRun(file, hasBegun) gives a run to one window at a time', async () => {
  const file = join(temporaryFolder(), 'none yet', messagesFileName(99_999_999));
  const claim = await claimRun(file, false);
  expect(claim).not.toBeNull();
  writeRunMessage(file, {message: 'began', name: 'a.py', folder: '/w/a'});
  const [waiting, late] = [claimRun(file, false), claimRun(file, false)];
  claim?.release();
  const next = await Promise.race([waiting, late]);
  expect(next).not.toBeNull();
  next?.done();
  expect((await Promise.all([waiting, late])).filter(one => one !== null)).toEqual([next]);
  expect(await claimRun(file, true)).toBeNull();
  expect(readdirSync(join(file, '..'))).toEqual([]);
});

it('offerEarlierRun() tells what ended unseen, and asks whether to open what it recorded', async () => {
  pressed = 'Open Profile';
  expect(await offerEarlierRun('a.py', result)).toBe(true);
  pressed = undefined;
  expect(await offerEarlierRun('a.py', {...result, profiles: [profile, profile]})).toBe(false);
  expect(await offerEarlierRun('a.py', {...result, profiles: []})).toBe(false);
  expect(await offerEarlierRun('a.py', {...result, profiles: [], isCancelled: true})).toBe(false);
  expect(said).toEqual([
    'a.py ended while VS Code was closed. It recorded 1 profile. | Open Profile',
    'a.py ended while VS Code was closed. It recorded 2 profiles. | Open First Profile',
    'a.py ended while VS Code was closed. It failed.',
  ]);
});
