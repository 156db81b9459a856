import {beforeEach, expect, it, vi} from 'vitest';
import {TraceError} from '../../../src/core/base/errors.js';
import * as standIn from '../../support/vscode-stand-in.js';

/** What the person does, and what they see. */
const editor = {
  saved: '',
  cancels: false,
  proposed: [] as string[],
  lists: [] as string[][],
  opened: [] as unknown[][],
  failures: [] as string[],
};

vi.mock('vscode', () => ({
  ...standIn,
  ProgressLocation: {Notification: 15},
  commands: {
    executeCommand: (...args: unknown[]) => {
      if (args[0] !== 'workbench.action.focusQuickOpen') editor.opened.push(args);
      return Promise.resolve();
    },
  },
  window: {
    ...standIn.window,
    showQuickPick: (items: readonly {label: string}[]) => {
      editor.lists.push(items.map(({label}) => label));
      return Promise.resolve(standIn.window.picks(items));
    },
    showSaveDialog: ({defaultUri}: {readonly defaultUri: {readonly fsPath: string}}) => {
      editor.proposed.push(defaultUri.fsPath);
      const path = editor.saved === 'proposed' ? defaultUri.fsPath : editor.saved;
      return Promise.resolve(path === '' ? undefined : {path, fsPath: path});
    },
    showInformationMessage: (text: string) => standIn.window.showInformationMessage(text),
    showErrorMessage: (text: string) => {
      editor.failures.push(text);
      return Promise.resolve(undefined);
    },
    withProgress: (_: unknown, run: (progress: object, token: object) => unknown) =>
      run({report: () => undefined}, {onCancellationRequested: (listener: () => void) => editor.cancels && listener()}),
  },
}));
const {savePartCommand} = await import('../../../src/host/commands/save-part.js');

const steps = [3, 4, 3].map(number => ({number, slice: 0, process: 0, startNs: 0, endNs: 2e6}));

function profile(key: number, path: string, copiesParts = true, itsSteps: readonly object[] = steps) {
  return {key, path, state: {kind: 'open', summary: {id: 10 * key, copiesParts, steps: itsSteps}}};
}

const training = profile(1, '/runs/train.pt.trace.json.gz');

interface Given {
  readonly open?: readonly ReturnType<typeof profile>[];
  readonly scope?: object | null;
  readonly fails?: Error;
}

/** The command where some profiles are open, the first is active; returns what the engine was asked for. */
async function save(asked: unknown, {open = [training], scope = null, fails}: Given = {}): Promise<unknown[]> {
  const questions: unknown[] = [];
  await savePartCommand({
    store: {activeOpen: open[0] ?? null, open, byKey: (key: number) => open.find(one => one.key === key) ?? null},
    scopes: {of: () => scope},
    engine: {
      ask: (method: string, params: unknown, {signal}: {signal: AbortSignal}) => {
        questions.push(params);
        expect(method).toBe('profile/save-part');
        if (signal.aborted) return Promise.reject(new TraceError('import/cancelled', 'Cancelled.'));
        return fails ? Promise.reject(fails) : Promise.resolve(['The file has 2 of 9 GPU operations.']);
      },
    },
    log: {info: () => undefined, error: () => undefined},
  } as never)(asked);
  return questions;
}

beforeEach(() => {
  Object.assign(editor, {saved: 'proposed', cancels: false, proposed: [], lists: [], opened: [], failures: []});
  standIn.window.told.length = 0;
  standIn.window.presses = undefined;
  standIn.window.picks = items => items[0];
});

it('saves the marked area beside its profile, says what was left out, and opens it', async () => {
  standIn.window.presses = 'Open';
  expect(await save(undefined, {scope: {fromNs: 1e6, toNs: 3e6}})).toEqual([
    {
      ...{profile: 10, selection: {fromNs: 1e6, toNs: 3e6}, to: 'pytorch', names: 'keep'},
      output: '/runs/train.1.00-3.00ms.pt.trace.json.gz',
    },
  ]);
  expect(editor.lists).toEqual([['Keep names', 'Hash names', 'Drop names']]);
  expect(standIn.window.told).toEqual([
    'Saved train.1.00-3.00ms.pt.trace.json.gz. The file has 2 of 9 GPU operations.',
  ]);
  expect(editor.opened).toMatchObject([['gpuLens.openProfile', {fsPath: editor.proposed[0]}]]);
});

it('asks for a step where none is marked, each number once, and says that names are left out', async () => {
  standIn.window.picks = items => items.at(1);
  expect(await save(undefined)).toMatchObject([{selection: {step: 4}, names: 'hash'}]);
  expect(editor.lists[0]).toEqual(['Step 3', 'Step 4']);
  expect(editor.proposed).toEqual(['/runs/train.step-4.pt.trace.json.gz']);
  expect(standIn.window.told[0]).toMatch(/are left out\.$/);
});

it('saves the step of a menu, of the profile that was clicked, whatever is marked', async () => {
  const other = profile(2, '/runs/report.sqlite', false);
  const open = [training, other];
  const scope = {fromNs: 0, toNs: 9};
  expect(await save({webviewSection: 'gpuLens.step', key: 2, step: 7}, {open, scope})).toMatchObject([
    {profile: 20, selection: {step: 7}, to: 'perfetto', output: '/runs/report.step-7.perfetto.json.gz'},
  ]);
  expect(await save({path: other.path}, {open, scope})).toMatchObject([{profile: 20, selection: scope}]);
  // It was closed while the menu was open.
  expect(await save({key: 3, step: 7}, {open, scope})).toEqual([]);
});

it('takes the format from the name', async () => {
  const formats: unknown[] = [];
  for (const name of ['a.perfetto.json', 'a.perfetto.json.gz', 'a.pt.trace.json', 'perfetto.gz']) {
    editor.saved = `/runs/${name}`;
    formats.push(...(await save({step: 3})).map(asked => (asked as {to: string}).to));
  }
  expect(formats).toEqual(['perfetto', 'perfetto', 'pytorch', 'pytorch']);
});

it('never writes over the profile itself', async () => {
  editor.saved = training.path;
  expect(await save({step: 3})).toEqual([]);
  expect(standIn.window.told[0]).toMatch(/^A part cannot be saved in place of its profile/);
});

it('asks and saves no more where the person gives up, and says nothing of what was cancelled', async () => {
  standIn.window.picks = () => undefined;
  expect([await save(undefined), editor.proposed]).toEqual([[], []]);
  expect([await save({step: 3}), editor.proposed]).toEqual([[], []]);
  standIn.window.picks = items => items[0];
  editor.saved = '';
  expect(await save({step: 3})).toEqual([]);
  editor.saved = 'proposed';
  editor.cancels = true;
  expect(await save({step: 3})).toHaveLength(1);
  expect([standIn.window.told, editor.failures, editor.opened]).toEqual([[], [], []]);
});

it('says what can be saved where there is nothing, and why a part could not be', async () => {
  expect(await save(undefined, {open: []})).toEqual([]);
  expect(await save(undefined, {open: [profile(1, '/a.json', true, [])]})).toEqual([]);
  expect(standIn.window.told).toEqual([
    expect.stringMatching(/^No profile is open/),
    expect.stringMatching(/^This profile has no steps/),
  ]);
  await save({step: 3}, {fails: new TraceError('file/unwritable', 'a.json cannot be written: it is full.')});
  expect(editor.failures).toEqual([expect.stringContaining('it is full.')]);
});
