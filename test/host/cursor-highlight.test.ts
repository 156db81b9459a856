import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {EventEmitter} from '../support/vscode-stand-in.js';

const selected = new EventEmitter();
const editor = {document: {languageId: 'python'}, selection: {active: {line: 1}}};
vi.mock('vscode', async () => ({
  ...(await import('../support/vscode-stand-in.js')),
  window: {onDidChangeTextEditorSelection: selected.event, activeTextEditor: editor},
}));
const {CursorHighlight} = await import('../../src/host/cursor-highlight.js');

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('tells the timeline once where the cursor is, and again after a switch and when it comes back into sight', async () => {
  const [changed, shown] = [new EventEmitter(), new EventEmitter()];
  const store = {activeOpen: {key: 1, state: {summary: {id: 1}}}, onDidChange: changed.event};
  const told: unknown[] = [];
  const timeline = {
    isVisible: true,
    onDidShow: shown.event,
    highlight: (names: unknown) => Promise.resolve(told.push(names)),
  };
  const tag = {line: 2, endLine: 2, depth: 0};
  const annotations = {namedTags: () => Promise.resolve([{tag, patterns: [['step']]}])};
  const engine = {ask: () => Promise.resolve({names: ['step']})};
  new (CursorHighlight as new (...all: unknown[]) => unknown)(store, engine, timeline, annotations);

  const rest = () => vi.advanceTimersByTimeAsync(1000);
  for (const event of [() => selected.fire({textEditor: editor}), () => changed.fire(undefined)]) {
    event();
    await rest();
    event();
    await rest();
  }
  expect(told).toEqual([['step'], ['step']]);
  store.activeOpen = {key: 2, state: {summary: {id: 2}}};
  changed.fire(undefined);
  await rest();
  shown.fire(undefined);
  await rest();
  expect(told).toHaveLength(4);
});
