import {beforeEach, expect, it, vi} from 'vitest';
import {EventEmitter, TextEditorSelectionChangeKind} from '../../support/vscode-stand-in.js';

interface Token {
  readonly onCancellationRequested: (listener: () => void) => unknown;
}

const selections = new EventEmitter();
const shown: {readonly items: unknown; readonly options: object}[] = [];
const executeCommand = vi.fn<(command: string) => void>();
let take: (item: unknown) => void = () => undefined;

vi.mock('vscode', async () => ({
  ...(await import('../../support/vscode-stand-in.js')),
  commands: {executeCommand},
  window: {
    onDidChangeTextEditorSelection: selections.event,
    showQuickPick: (items: unknown, options: object, token: Token) => {
      shown.push({items, options});
      return new Promise(resolve => {
        take = resolve;
        token.onCancellationRequested(() => {
          resolve(undefined);
        });
      });
    },
  },
}));
const {askName, askOne} = await import('../../../src/host/base/ask.js');

beforeEach(() => {
  vi.useFakeTimers();
  shown.length = 0;
  executeCommand.mockClear();
});

it('a list stays where a page takes the focus, takes it back, and answers with what is chosen', async () => {
  const items = [{label: 'a'}, {label: 'b'}];
  const answer = askOne(items, {title: 'Which?'});
  expect(shown).toEqual([{items, options: {title: 'Which?', ignoreFocusOut: true}}]);
  vi.runAllTimers();
  expect(executeCommand.mock.calls).toEqual([['workbench.action.focusQuickOpen']]);
  take(items[1]);
  expect(await answer).toBe(items[1]);
});

it('a list that was answered leaves the focus where it is', async () => {
  const answer = askOne([{label: 'a'}], {});
  take(undefined);
  expect(await answer).toBeUndefined();
  vi.runAllTimers();
  expect(executeCommand).not.toHaveBeenCalled();
});

it('a list ends with a click into the code, not with a cursor that moves for another reason', async () => {
  const answer = askOne([{label: 'a'}], {});
  const said = vi.fn();
  void answer.then(said);
  selections.fire({kind: TextEditorSelectionChangeKind.Command});
  await Promise.resolve();
  expect(said).not.toHaveBeenCalled();
  selections.fire({kind: TextEditorSelectionChangeKind.Mouse});
  expect(await answer).toBeUndefined();
});

it('a name is asked for where there are several, and is text: VS Code would make icons of it', async () => {
  expect(await askName(['only'], 'Which?')).toBe('only');
  expect(shown).toEqual([]);
  const answer = askName(['a', '$(bug)'], 'Which?');
  const [{items} = {items: []}] = shown;
  expect(items).toMatchObject([{label: 'a'}, {label: '$\u200b(bug)'}]);
  take((items as unknown[])[1]);
  expect(await answer).toBe('$(bug)');
});
