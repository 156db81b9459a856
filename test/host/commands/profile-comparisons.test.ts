import {expect, it, vi} from 'vitest';
import {compareFlames} from '../../../src/core/compare/compare-flames.js';
import {compareRuns} from '../../../src/core/compare/run-comparison.js';
import type {ComparisonContent} from '../../../src/protocol/comparison-messages.js';
import {runOf} from '../../support/compared-runs.js';
import {patience} from '../../support/patience.js';
import {traceFromText} from '../../support/trace-from-text.js';

let choose: (compared: object) => void = () => undefined;
vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
vi.mock('../../../src/host/commands/base-choices.js', () => ({
  chooseBase: () => new Promise(resolve => (choose = resolve)),
}));
const {ProfileComparisons} = await import('../../../src/host/commands/profile-comparisons.js');

const [base, changed] = [traceFromText('stream 7 aa'), traceFromText('stream 7 aaa')].map(trace => runOf(trace)) as [
  ReturnType<typeof runOf>,
  ReturnType<typeof runOf>,
];
const byName = compareRuns(base, changed);
const byShapes = {...byName};

/**
 * Compares two files, whose operators an engine matches by shapes if it knows any. It answers questions of a slow method
 * when `read` says.
 */
async function compared(known: typeof byShapes | null, isSlow = false) {
  const open = ['a.json', 'b.json', 'c.json'].map((path, id) => ({
    ...{path, name: path},
    state: {kind: 'open', sidecar: null, summary: {id, info: {}}},
  }));
  const asked: string[] = [];
  const answers: Record<string, unknown> = {
    compare: byName,
    'compare/shapes': known,
    'compare/flames': compareFlames(base, changed, {}, byName.noise.betweenRuns, true),
    'compare/many': {runs: [], rows: []},
  };
  const waits: (() => void)[] = [];
  const slow = {method: isSlow ? 'compare/shapes' : ''};
  const ask = async (method: string) => {
    asked.push(method);
    if (method === slow.method) await new Promise<void>(go => waits.push(go));
    return answers[method];
  };
  const read = () => {
    for (const go of waits.splice(0)) go();
  };
  const store = {open, openFile: (path: string) => Promise.resolve(open.find(one => one.path === path))};
  const shown: ComparisonContent[] = [];
  const log = {error: () => undefined, warn: () => undefined};
  const comparisons = new ProfileComparisons(
    ...([
      store,
      {ask},
      {},
      {of: () => null},
      log,
      (content: ComparisonContent) => shown.push(content),
    ] as unknown as ConstructorParameters<typeof ProfileComparisons>),
  );
  await comparisons.compareFiles(['a.json', 'b.json']);
  const last = () => {
    const content = shown.at(-1);
    return content?.state === 'pair' ? content : null;
  };
  return {comparisons, asked, shown, last, read, slow};
}

it('shows the comparison by shapes and by name, and asks the engine for each once', async () => {
  const {comparisons, asked, last} = await compared(byShapes);
  expect(last()).toMatchObject({names: ['a.json', 'b.json'], isByShapes: false});
  for (const isByShapes of [true, false, true]) {
    expect(await comparisons.chooseShapes(isByShapes)).toBe(true);
    expect(last()?.isByShapes).toBe(isByShapes);
    expect(last()?.comparison).toBe(isByShapes ? byShapes : byName);
  }
  expect(asked).toEqual(['compare', 'compare/flames', 'compare/shapes']);
});

it('shows nothing else if a profile has no shapes, or another comparison is shown', async () => {
  const {comparisons, shown} = await compared(null);
  expect(await comparisons.chooseShapes(true)).toBe(false);
  expect(shown).toHaveLength(1);
  const other = await compared(byShapes, true);
  const choosing = other.comparisons.chooseShapes(true);
  await other.comparisons.compareFiles(['a.json', 'b.json', 'c.json']);
  other.read();
  await choosing;
  expect(other.shown.map(({state}) => state)).toEqual(['pair', 'matrix']);
  expect(await other.comparisons.chooseShapes(true)).toBe(false);
});

it('keeps what was chosen last while the files are read', async () => {
  const {comparisons, last, read} = await compared(byShapes, true);
  const choosing = comparisons.chooseShapes(true);
  await comparisons.chooseShapes(false);
  read();
  await choosing;
  expect(last()?.isByShapes).toBe(false);
});

it.each([
  {method: 'compare', earlier: ['c.json', 'a.json'], later: ['a.json', 'b.json', 'c.json'], stays: 'matrix'},
  {method: 'compare/many', earlier: ['a.json', 'b.json', 'c.json'], later: ['a.json', 'c.json'], stays: 'pair'},
])('keeps what was asked for last when an earlier, slower "$method" ends', async ({method, earlier, later, stays}) => {
  const {comparisons, asked, shown, read, slow} = await compared(null);
  asked.length = 0;
  slow.method = method;
  const first = comparisons.compareFiles(earlier);
  await vi.waitFor(() => expect(asked).toEqual([method]), patience);
  slow.method = '';
  await comparisons.compareFiles(later);
  read();
  await first;
  expect(shown.map(({state}) => state)).toEqual(['pair', stays]);
  expect(comparisons.shownPaths).toEqual(stays === 'pair' ? later : null);
});

it('counts a comparison from the choice of the base, whose list may stay open for long', async () => {
  const {comparisons} = await compared(null);
  const chosen = comparisons.compareFiles(['a.json']);
  await comparisons.compareFiles(['a.json', 'b.json']);
  choose({type: 'file', path: 'c.json'});
  await chosen;
  expect(comparisons.shownPaths).toEqual(['c.json', 'a.json']);
});
