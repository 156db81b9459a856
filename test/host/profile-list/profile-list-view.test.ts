import {expect, it, vi} from 'vitest';
import {noJob} from '../../support/no-job.js';
import {EventEmitter} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {closeProfileCommand, ProfileListView} = await import('../../../src/host/profile-list/profile-list-view.js');

const profileOf = (key: number, workNs: number, tables = false) => ({
  ...{key, path: `/runs/${String(key)}.json`, name: `${String(key)}.json`},
  state: {kind: 'open', summary: {info: {gpu: {workNs}, spanNs: 5e6, tables}}},
});

function listOf(open: readonly ReturnType<typeof profileOf>[]) {
  const changes = new EventEmitter();
  const store = {open, activeOpen: open[0] ?? null, active: open[0] ?? null, onDidChange: changes.event};
  const view = new (ProfileListView as unknown as new (...of: unknown[]) => InstanceType<typeof ProfileListView>)(
    store,
    noJob,
  );
  return {store, view, changes};
}

it('lists open profiles with their figures, the active one marked, and the views of each', () => {
  const {view} = listOf([profileOf(1, 2_500_000), profileOf(2, 0)]);
  const items = view.getChildren();
  const rows = items.map(item => view.getTreeItem(item));
  expect(rows.map(({label, description, contextValue}) => [label, description, contextValue])).toEqual([
    ['1.json', 'GPU work 2.50 ms', 'active'],
    ['2.json', '5.00 ms, no GPU work', 'open'],
  ]);
  const views = view.getChildren(items[1]).map(item => view.getTreeItem(item));
  expect(views.map(({label}) => label)).toEqual([
    ...[
      'Summary',
      'Timeline',
      'Flame Graph',
      'Tables',
      'Findings',
      'Memory',
      'What If…',
      'Roofline and Estimate',
      'SQL Query',
    ],
  ]);
  expect(views[0]?.command?.arguments).toEqual(['/runs/2.json', 'gpuLens.showSummary']);
});

it('offers a text report its tables alone', () => {
  const {view} = listOf([profileOf(1, 0, true)]);
  expect(view.getChildren(view.getChildren()[0]).map(item => ('view' in item ? item.view?.name : null))).toEqual([
    'Tables',
  ]);
});

it('is drawn anew when profiles come or go, and not while one is opening', () => {
  const {view, store, changes} = listOf([profileOf(1, 1)]);
  let drawn = 0;
  view.onDidChangeTreeData(() => drawn++);
  changes.fire(undefined);
  changes.fire(undefined);
  expect(drawn).toBe(1);
  store.activeOpen = null;
  changes.fire(undefined);
  expect(drawn).toBe(2);
});

it('closes the profile of a row, or the active one, and none in place of a row that is gone', async () => {
  const closed: string[] = [];
  const active = profileOf(1, 1);
  const store = {active, close: (path: string) => Promise.resolve(closed.push(path))};
  const close = closeProfileCommand(store as never);
  await close({profile: profileOf(2, 1) as never, view: null});
  await close(undefined);
  expect(closed).toEqual(['/runs/2.json']);
  await close();
  expect(closed).toEqual(['/runs/2.json', '/runs/1.json']);
});
