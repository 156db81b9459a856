import {mkdirSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';
import {pseudo} from '../../support/translations.js';
import {l10n} from '../../support/vscode-stand-in.js';

let answer: string | undefined;
const asked: string[] = [];
const failures: string[] = [];
vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  window: {
    showInformationMessage: (text: string, ...buttons: string[]) => {
      asked.push(`${text} ${buttons.join('|')}`);
      return Promise.resolve(answer);
    },
    showErrorMessage: (text: string) => {
      failures.push(text);
      return Promise.resolve(undefined);
    },
  },
}));
const {offerWindow} = await import('../../../src/host/run/offer-window.js');

const log = {info: () => undefined, error: () => undefined} as never;
const parent = temporaryFolder();
const button = 'Record a Window of Time';

it.each([
  [button, true, '{"v":1,"request":"window"}\n'],
  [button, false, null],
  [undefined, true, null],
])('offerWindow, answered by %s while the run goes on: %s', async (choice, isRunning, written) => {
  const folder = join(parent, `${String(choice)} ${String(isRunning)}`);
  mkdirSync(folder);
  answer = choice;
  await offerWindow('loop.py', {folder, seconds: 60, isRunning: () => isRunning}, log);
  expect(asked.at(-1)).toBe(`No step of loop.py was found for 60 s. ${button}`);
  const files = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'));
  expect(files).toEqual(written === null ? [] : [written]);
});

it('offerWindow understands its button in every language', async () => {
  const folder = join(parent, 'translated');
  mkdirSync(folder);
  const translated = vi.spyOn(l10n, 't').mockImplementation(pseudo);
  answer = pseudo(button);
  await offerWindow('loop.py', {folder, seconds: 60, isRunning: () => true}, log);
  translated.mockRestore();
  expect(asked.at(-1)).toContain(answer);
  expect(readdirSync(folder)).toHaveLength(1);
});

it('offerWindow says where the run’s folder is gone', async () => {
  answer = button;
  await offerWindow('loop.py', {folder: join(parent, 'gone'), seconds: 60, isRunning: () => true}, log);
  expect(failures).toHaveLength(1);
});
