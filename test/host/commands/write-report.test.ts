import {existsSync, readFileSync} from 'node:fs';
import {join, resolve} from 'node:path';
import {beforeEach, expect, it, vi} from 'vitest';
import {temporaryFolder} from '../../support/project.js';
import * as standIn from '../../support/vscode-stand-in.js';

/** What the person does, and what they see. */
const editor = {
  page: '',
  saved: '',
  cancels: false,
  asked: [] as {readonly defaultUri: {readonly fsPath: string}}[],
  opened: [] as unknown[][],
  failures: [] as string[],
};

class TabInputWebview {
  constructor(readonly viewType: string) {}
}

vi.mock('vscode', () => ({
  ...standIn,
  TabInputWebview,
  ProgressLocation: {Notification: 15},
  UIKind: {Desktop: 1, Web: 2},
  env: {remoteName: undefined, uiKind: 2, openExternal: () => Promise.resolve(false)},
  commands: {
    executeCommand: (...args: unknown[]) => {
      editor.opened.push(args);
      return Promise.resolve();
    },
  },
  window: {
    ...standIn.window,
    tabGroups: {
      get activeTabGroup() {
        return {activeTab: {input: new TabInputWebview(editor.page)}};
      },
    },
    showSaveDialog: (options: (typeof editor.asked)[number]) => {
      editor.asked.push(options);
      return Promise.resolve(editor.saved === '' ? undefined : {path: editor.saved, fsPath: editor.saved});
    },
    showErrorMessage: (text: string) => {
      editor.failures.push(text);
      return Promise.resolve(undefined);
    },
    withProgress: (_: unknown, run: (progress: object, token: object) => unknown) =>
      run({}, {onCancellationRequested: (listener: () => void) => editor.cancels && listener()}),
  },
}));
const {writeReportCommand} = await import('../../../src/host/commands/write-report.js');

const profile = resolve('test/fixtures/transformer-memory/train.pt.trace.json.gz');
const folder = temporaryFolder();
const log = {info: () => undefined, error: () => undefined};

function command(
  files: {readonly active?: string; readonly compared?: readonly string[]; readonly sweeps?: readonly object[]} = {},
) {
  return writeReportCommand({
    context: {extensionUri: {fsPath: resolve('.')}, globalStorageUri: {fsPath: folder}},
    store: {activeOpen: files.active === undefined ? undefined : {path: files.active}},
    makeReadable: (path: string) => Promise.resolve(path),
    compared: () => files.compared ?? null,
    sweeps: () => Promise.resolve(files.sweeps ?? []),
    workspaceFolder: () => folder,
    log,
  } as never);
}

beforeEach(() => {
  Object.assign(editor, {page: '', saved: '', cancels: false, asked: [], opened: [], failures: []});
});

it('writes the report of the active profile where the person says, and opens it', async () => {
  editor.saved = join(folder, 'train.md');
  await command({active: profile, compared: [profile, profile]})();
  expect(editor.failures).toEqual([]);
  expect(editor.asked[0]?.defaultUri.fsPath).toBe(`${profile}.report.html`);
  expect(readFileSync(editor.saved, 'utf8')).toMatch(/^# Report on train\.pt\.trace\.json\.gz/);
  expect(editor.opened).toMatchObject([['markdown.showPreview', {fsPath: editor.saved}]]);
});

it('writes that of the comparison in front as a page', async () => {
  editor.page = 'mainThreadWebview-gpuLens.comparison';
  editor.saved = join(folder, 'compared.html');
  await command({active: profile, compared: [profile, profile]})();
  expect(editor.failures).toEqual([]);
  expect(readFileSync(editor.saved, 'utf8')).toContain('compared with');
  expect(editor.opened).toMatchObject([['vscode.open', {fsPath: editor.saved}]]);
});

it('says in one sentence why a sweep in front cannot be reported on', async () => {
  editor.page = 'mainThreadWebview-gpuLens.benchmark';
  editor.saved = join(folder, 'sweep.html');
  await command({active: profile, sweeps: [{folder: join(folder, 'gone'), record: {name: 'gone'}}]})();
  expect(editor.asked[0]?.defaultUri.fsPath).toBe(join(folder, 'gone', 'report.html'));
  expect(editor.failures).toEqual([expect.stringMatching(/^gone .*does not exist\.$/)]);
  expect(editor.opened).toEqual([]);
});

it('writes and opens nothing where the person cancels, before or while it is written', async () => {
  await command({active: profile})();
  editor.saved = join(folder, 'cancelled.html');
  editor.cancels = true;
  await command({active: profile})();
  expect([editor.opened, editor.failures, existsSync(editor.saved)]).toEqual([[], [], false]);
});

it('says what there is to report on where there is nothing', async () => {
  await command()();
  expect(standIn.window.told.at(-1)).toMatch(/^There is nothing to report on\./);
});
