import {expect, it, vi} from 'vitest';
import type {Finding} from '../../../src/core/findings/rules/finding.js';
import {EventEmitter, treeView} from '../../support/vscode-stand-in.js';
import {patience} from '../../support/patience.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {FindingsView} = await import('../../../src/host/findings/findings-view.js');
const {FindingsStore} = await import('../../../src/host/findings/known-findings.js');

const idle: Finding = {
  ...{rule: 'idle/data-loader', severity: 'high', title: 'The GPU waits for the data loader'},
  evidence: [{text: 'Idle in the data loader', value: 12_500_000, unit: 'ns', query: 'SELECT 1'}],
  ...{gainAtMostNs: 12_500_000, advice: 'Use more workers.', link: null},
  ...{file: '/other/machine/train.py', line: 3, startNs: 5},
};
const general: Finding = {
  ...idle,
  rule: 'x',
  severity: 'low',
  gainAtMostNs: null,
  file: null,
  line: null,
  startNs: null,
};

function viewOf(answer: () => Promise<unknown>) {
  const profile = {key: 1, name: 'run.json', state: {summary: {}}};
  const store = {activeOpen: profile as object | null, onDidChange: new EventEmitter().event};
  const asked = vi.fn(answer);
  const findings = new FindingsStore(asked as never, {warn: () => undefined} as never);
  const view = new (FindingsView as new (...all: unknown[]) => InstanceType<typeof FindingsView>)(store, findings);
  return {view, findings, asked, store, profile};
}

it('shows findings with what can be gained and their line, and below each its evidence and what to do', async () => {
  const {view, asked} = viewOf(() => Promise.resolve({findings: [idle, general], hasGpuWork: true, notes: []}));
  expect(view.getChildren()).toEqual([]);
  expect(treeView.message).toBe('Looking for what stands in the way in run.json…');
  await vi.waitFor(() => {
    expect(view.getChildren()).toHaveLength(2);
  }, patience);
  expect(treeView.message).toBe('');
  const [first, second] = view.getChildren();
  if (!first || !second) return;
  expect(view.getTreeItem(first)).toMatchObject({
    ...{label: `≤ 12.5 ms · ${idle.title}`, description: 'train.py:3', contextValue: 'source time'},
    command: {command: 'gpuLens.revealFinding'},
  });
  expect(view.getTreeItem(second)).toMatchObject({description: '', contextValue: 'finding'});
  expect(view.getChildren(first).map(row => [view.getTreeItem(row).label, view.getTreeItem(row).description])).toEqual([
    ['12.5 ms', 'Idle in the data loader'],
    ['Use more workers.', ''],
  ]);
  expect(asked).toHaveBeenCalledTimes(1);
});

it('says that nothing stands out, what was dismissed, and why nothing could be found', async () => {
  const none = viewOf(() => Promise.resolve({findings: [], hasGpuWork: true, notes: ['One is dismissed.']}));
  none.view.getChildren();
  await vi.waitFor(() => {
    none.view.getChildren();
    expect(treeView.message).toBe('No findings: nothing is above a rule’s threshold. One is dismissed.');
  }, patience);
  const failed = viewOf(() => Promise.reject(new Error('no process')));
  failed.view.getChildren();
  await vi.waitFor(() => {
    failed.view.getChildren();
    expect(treeView.message).toContain('no process');
  }, patience);
  // Looking at it does not try again by itself.
  expect(failed.asked).toHaveBeenCalledTimes(1);
});

it('is found once for all that show it, and anew where rules or dismissals have changed', async () => {
  const {view, findings, asked, profile} = viewOf(() =>
    Promise.resolve({findings: [idle], hasGpuWork: true, notes: []}),
  );
  // The summary has asked before the view is in sight.
  await findings.find(profile as never, new AbortController().signal);
  expect(view.getChildren()).toHaveLength(1);
  expect(asked).toHaveBeenCalledTimes(1);
  findings.forget();
  view.getChildren();
  expect(asked).toHaveBeenCalledTimes(2);
});

it('shows what was known while it is found anew, and no answer from before the last change', async () => {
  const answers: ((found: readonly Finding[]) => void)[] = [];
  const {view, findings, asked} = viewOf(
    () =>
      new Promise(resolve => {
        answers.push(found => {
          resolve({findings: found, hasGpuWork: true, notes: []});
        });
      }),
  );
  const shown = () => view.getChildren().map(row => row.finding.rule);
  shown();
  answers[0]?.([idle, general]);
  await vi.waitFor(() => expect(shown()).toEqual([idle.rule, general.rule]), patience);
  for (let change = 0; change < 2; change++) {
    findings.forget();
    expect(shown()).toEqual([idle.rule, general.rule]);
  }
  expect(asked).toHaveBeenCalledTimes(3);
  answers[2]?.([general]);
  await vi.waitFor(() => expect(shown()).toEqual([general.rule]), patience);
  answers[1]?.([idle]);
  await Promise.all(asked.mock.results.map(({value}) => value as Promise<unknown>));
  await Promise.resolve();
  expect(shown()).toEqual([general.rule]);
  expect(asked).toHaveBeenCalledTimes(3);
});

it('is drawn again only where its findings differ, and asks for outdated ones by itself', async () => {
  let found = [idle];
  const {view, findings, asked} = viewOf(() => Promise.resolve({findings: found, hasGpuWork: true, notes: []}));
  const shown = () => view.getChildren().map(row => row.finding.rule);
  const drawn = vi.fn();
  view.onDidChangeTreeData(drawn);
  shown();
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  expect(shown()).toEqual([idle.rule]);
  const settled = () => Promise.all(asked.mock.results.map(({value}) => value as Promise<unknown>));
  found = [{...idle}];
  findings.forget();
  expect(asked).toHaveBeenCalledTimes(2);
  await settled();
  found = [general];
  findings.forget();
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(2), patience);
  expect(shown()).toEqual([general.rule]);
  // A hidden view is drawn, and asks, when it is in sight again.
  treeView.visible = false;
  findings.forget();
  treeView.visible = true;
  expect(drawn).toHaveBeenCalledTimes(3);
  expect(asked).toHaveBeenCalledTimes(3);
});

it('says nothing where no profile is open', async () => {
  const {view, store} = viewOf(() => Promise.resolve({findings: [], hasGpuWork: true, notes: []}));
  view.getChildren();
  await vi.waitFor(() => {
    view.getChildren();
    expect(treeView.message).toMatch(/^No findings/);
  }, patience);
  store.activeOpen = null;
  expect(view.getChildren()).toEqual([]);
  expect(treeView.message).toBe('');
});
