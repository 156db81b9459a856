import {expect, it, vi} from 'vitest';
import {rangeTree} from '../../../src/core/questions/range-tree.js';
import {SourceIndex} from '../../../src/core/source/source-index.js';
import {traceFromText} from '../../support/trace-from-text.js';
import {EventEmitter, treeView} from '../../support/vscode-stand-in.js';
import {jobFacts} from '../../../src/core/job/job-report.js';
import {jobView} from '../../../src/core/job/job-view.js';
import {madeJob} from '../../support/job-ranks.js';
import {noJob} from '../../support/no-job.js';
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
    noJob,
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

it('a range of a rank tells how it is over the ranks of the job', async () => {
  const range = (gpuWorkNs: number) => ({name: 'inner', gpuWorkNs, cpuWallNs: 1, cpuSelfNs: 1});
  const ranks = madeJob({ranks: 5, steps: 1, callsPerStep: 1}).map((rank, at) => ({
    ...rank,
    ranges: [range(at === 3 ? 150 : 100)],
  }));
  const profile = {key: 1, name: 'run.json', path: '/run.json', state: {summary: {id: 1}, sidecar: null}};
  const store = {activeOpen: profile, onDidChange: new EventEmitter().event};
  const scopes = {of: () => null, onDidChange: new EventEmitter().event};
  const jobs = {active: {view: jobView(jobFacts(ranks))}, rankOf: () => 3, onDidChange: new EventEmitter().event};
  const engine = {ask: () => Promise.resolve(rangeTree(trace))};
  const workspace = {whenRead: () => Promise.resolve(new SourceIndex())};
  const view = new (HotRangesView as new (...all: unknown[]) => InstanceType<typeof HotRangesView>)(
    ...[store, jobs, scopes, engine, workspace, {warn: () => undefined}],
  );
  view.getChildren();
  const outer = await vi.waitFor(() => view.getChildren()[0] ?? expect.fail('not read yet'), patience);
  const [inner] = view.getChildren(outer);
  const item = view.getTreeItem(inner ?? expect.fail('no inner'));
  expect(item.description).toMatch(/ · rank 3 is 50\.0 % slower here/);
  expect(item.tooltip).toContain(
    'All ranges of this name. Over 5 ranks: least 100 ns/step (rank 0), median 100 ns/step, mean 110 ns/step, most 150 ns/step (rank 3).',
  );
  expect(view.getTreeItem(outer).tooltip).not.toContain('Over');
});

it('reads the ranges again where the scope of the active profile changed, also while another was active', async () => {
  const profileOf = (key: number) => ({
    ...{key, name: 'run.json', path: '/run.json'},
    state: {summary: {id: key}, sidecar: null},
  });
  const [profile, other] = [profileOf(1), profileOf(2)];
  const store = {activeOpen: profile, onDidChange: new EventEmitter().event};
  const changes = new EventEmitter();
  const windows = new Map<unknown, object>();
  const scopes = {of: (one: unknown) => windows.get(one) ?? null, onDidChange: changes.event};
  const mark = (one: unknown) => {
    windows.set(one, {fromNs: 1, toNs: 2});
    changes.fire(undefined);
  };
  const ask = vi.fn(() => Promise.resolve(rangeTree(trace)));
  const workspace = {whenRead: () => Promise.resolve(new SourceIndex())};
  const view = new (HotRangesView as new (...all: unknown[]) => InstanceType<typeof HotRangesView>)(
    ...[store, noJob, scopes, {ask}, workspace, {warn: () => undefined}],
  );
  const isRead = () => vi.waitFor(() => expect(view.getChildren()).toHaveLength(1), patience);
  await isRead();
  // The view is out of sight, and asks for nothing.
  store.activeOpen = other;
  mark(profile);
  store.activeOpen = profile;
  await isRead();
  expect(ask).toHaveBeenCalledTimes(2);
  mark(other);
  await isRead();
  expect(ask).toHaveBeenCalledTimes(2);
  mark(profile);
  await isRead();
  expect(ask).toHaveBeenCalledTimes(3);
});
