import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {EventEmitter} from '../support/vscode-stand-in.js';

const selected = new EventEmitter();
const editor = {document: {languageId: 'python'}, selection: {active: {line: 1}}};
const languages = {
  match: (selector: {language?: string}[], {languageId}: {languageId: string}) =>
    Number(selector.some(({language}) => language === languageId)),
};
vi.mock('vscode', async () => ({
  ...(await import('../support/vscode-stand-in.js')),
  languages,
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
  new (CursorHighlight as new (...all: unknown[]) => unknown)(store, engine, [timeline], annotations);

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
  expect(told).toEqual([['step'], ['step'], [], ['step'], ['step']]);
});

it('lights nothing any more in the profile that was the active one', async () => {
  const changed = new EventEmitter();
  const [first, second] = [1, 2].map(key => ({key, path: `/${String(key)}`, state: {summary: {id: key}}}));
  const store = {activeOpen: first, onDidChange: changed.event};
  const told: string[] = [];
  const timeline = {
    isVisible: true,
    onDidShow: new EventEmitter().event,
    highlight: (names: readonly string[], {path}: {path: string}) =>
      Promise.resolve(told.push([path, ...names].join(' '))),
  };
  const tag = {line: 2, endLine: 2, depth: 0};
  const annotations = {namedTags: () => Promise.resolve([{tag, patterns: [['step']]}])};
  let answer: ((place: {names: string[]}) => void) | undefined;
  const engine = {ask: () => new Promise(resolve => (answer = resolve))};
  new (CursorHighlight as new (...all: unknown[]) => unknown)(store, engine, [timeline], annotations);
  const rest = async () => {
    await vi.advanceTimersByTimeAsync(1000);
    const tell = answer;
    answer = undefined;
    return tell;
  };
  changed.fire(undefined);
  (await rest())?.({names: ['step']});
  await rest();
  expect(told).toEqual(['/1 step']);
  store.activeOpen = second;
  changed.fire(undefined);
  expect(told).toEqual(['/1 step', '/1']);
  const tellLate = await rest();
  store.activeOpen = first;
  changed.fire(undefined);
  tellLate?.({names: ['late']});
  (await rest())?.({names: ['step']});
  await rest();
  expect(told).toEqual(['/1 step', '/1', '/1 step']);
});

it('follows the cursor in C++ too, in every timeline that is in sight, and in no other text', async () => {
  const store = {activeOpen: {key: 1, path: '/p', state: {summary: {id: 1}}}, onDidChange: new EventEmitter().event};
  const told: string[] = [];
  const timeline = (name: string, isVisible: boolean) => ({
    isVisible,
    onDidShow: new EventEmitter().event,
    highlight: (names: readonly string[], {path}: {path: string}) =>
      Promise.resolve(told.push(`${name} ${path} ${names.join()}`)),
  });
  const timelines = [timeline('panel', true), timeline('editor', true), timeline('hidden', false)];
  const annotations = {
    namedTags: () => Promise.resolve([{tag: {line: 1, endLine: 9, depth: 0}, patterns: [['step']]}]),
  };
  const engine = {ask: () => Promise.resolve({names: ['step']})};
  new (CursorHighlight as new (...all: unknown[]) => unknown)(store, engine, timelines, annotations);
  for (const languageId of ['plaintext', 'cuda-cpp']) {
    selected.fire({textEditor: {...editor, document: {languageId}}});
    await vi.advanceTimersByTimeAsync(1000);
    expect(told).toEqual(languageId === 'plaintext' ? [] : ['panel /p step', 'editor /p step']);
  }
});
