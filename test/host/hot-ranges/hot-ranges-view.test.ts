import {expect, it, vi} from 'vitest';
import {rangeTree} from '../../../src/core/questions/range-tree.js';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {EventEmitter, treeView} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {HotRangesView} = await import('../../../src/host/hot-ranges/hot-ranges-view.js');

const trace = traceFromText(`
  range outer     ====
  range inner      ==
  call             A
  stream 7         AA
`);

it('“Read Again” reads the ranges that could not be read', async () => {
  const asked: string[] = [];
  const engine = {
    ask: (question: string) => {
      asked.push(question);
      return asked.length === 1 ? Promise.reject(new Error('no engine')) : Promise.resolve(rangeTree(trace));
    },
  };
  const profile = {key: 1, name: 'run.json', state: {kind: 'open', summary: {id: 1}, sidecar: null}};
  const store = {activeOpen: profile, onDidChange: new EventEmitter().event};
  const scopes = {of: () => null, onDidChange: new EventEmitter().event};
  const workspace = {whenRead: () => Promise.resolve(new SourceIndex())};
  const log = {warn: () => undefined};
  const view = new (HotRangesView as new (...all: unknown[]) => InstanceType<typeof HotRangesView>)(
    store,
    scopes,
    engine,
    workspace,
    log,
  );
  const names = () => view.getChildren().map(item => item.name);
  expect(names()).toEqual([]);
  expect(treeView.message).toBe('Reading the ranges of run.json …');
  await vi.waitFor(() => {
    expect(names()).toEqual([]);
    expect(treeView.message).toBe(
      'The ranges of run.json could not be read; the log says why. “Read Again” above tries once more.',
    );
  }, patience);
  // Looking at it does not try again by itself.
  expect(asked).toEqual(['ranges/tree']);
  view.readAgain();
  await vi.waitFor(() => {
    expect(names()).toEqual(['outer']);
  }, patience);
  expect(treeView.message).toBe('');
  expect(view.getChildren(view.getChildren()[0]).map(item => item.name)).toEqual(['inner']);
  expect(asked).toEqual(['ranges/tree', 'ranges/tree']);
});
