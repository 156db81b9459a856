import {existsSync, mkdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {beforeEach, expect, it, vi} from 'vitest';
import {resultsFile, sweepsFolder} from '../../../src/launch/benchmark/sweep-files.js';
import {patience} from '../../support/patience.js';
import {temporaryFolder} from '../../support/project.js';
import {window, workspace} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {RunHistory} = await import('../../../src/host/runs/run-history.js');
const {RunsView} = await import('../../../src/host/runs/runs-view.js');
const {RunActions} = await import('../../../src/host/runs/run-actions.js');

let root = '';
beforeEach(() => {
  root = temporaryFolder();
  workspace.isTrusted = true;
  workspace.workspaceFolders = [{uri: {path: root, fsPath: root}}];
  window.told.length = 0;
  window.presses = undefined;
});

/** A run's folder as a recording leaves it. @param at the second that it began in */
function record(at: number, stepNs: number, more: object = {}): string {
  const folder = `20260101-00000${String(at)}-train`;
  const path = join(root, '.gpu-lens', 'runs', folder);
  mkdirSync(path, {recursive: true});
  writeFileSync(join(path, 'train.pt.trace.json'), '{}');
  const overhead = {plainStepNs: stepNs, plainNs: [stepNs - 1e5, stepNs, stepNs + 1e5]};
  const facts = {sites: [], steps: 3, torch: '2.13.0', device: 'NVIDIA H100', overhead};
  writeFileSync(join(path, 'train.meta.json'), JSON.stringify(facts));
  const began = `2026-01-01T00:00:0${String(at)}.000Z`;
  const told = {name: 'train', command: ['python', 'train.py'], cwd: root, began, ended: began, status: 0};
  const profiles = [{file: 'train.pt.trace.json', kind: 'steps', steps: 3, rank: null}];
  const code = {commit: 'abcdef0123456789', dirty: 'd', batch: null};
  writeFileSync(join(path, 'run.json'), JSON.stringify({version: 1, ...told, ...code, profiles, ...more}));
  return path;
}

function opened() {
  const history = new RunHistory();
  const log = {error: (text: string) => window.told.push(text)} as never;
  const view = new RunsView(history, log);
  const calls: unknown[][] = [];
  const call =
    (name: string) =>
    (...all: unknown[]) => {
      calls.push([name, ...all]);
      return Promise.resolve();
    };
  const selection: Awaited<ReturnType<typeof view.getChildren>> = [];
  const actions = new RunActions({
    ...{history, log, selection: () => selection},
    ...{
      openProfile: call('open'),
      openJob: call('job'),
      closeProfile: call('close'),
      compare: call('compare'),
      showSweep: call('sweep'),
    },
  });
  const rows = async () => (await view.getChildren()).map(item => view.getTreeItem(item));
  return {history, view, actions, calls, rows, selection};
}

it('lists runs and sweeps, the latest first, with step times, their spread and trend, commit and GPU', async () => {
  record(1, 5e6);
  record(3, 10e6, {ended: null, status: null});
  const sweep = join(root, '.gpu-lens', sweepsFolder, 'one');
  mkdirSync(sweep, {recursive: true});
  const header = {v: 1, id: 'x', name: 'sizes', startedAt: '2026-01-01T00:00:02.000Z', points: 4, config: {}};
  writeFileSync(join(sweep, resultsFile), `${JSON.stringify({kind: 'sweep', ...header})}\n`);
  const {rows} = opened();
  const found = await rows();
  expect(found.map(({label, description}) => [label, description])).toEqual([
    ['train', '10.0 ms ± 100 µs ▅█ · 2026-01-01 00:00 UTC · abcdef012 + changes · NVIDIA H100'],
    ['sizes', 'sweep · 0 of 4 points · 2026-01-01 00:00 UTC'],
    ['train', '5.00 ms ± 100 µs · 2026-01-01 00:00 UTC · abcdef012 + changes · NVIDIA H100'],
  ]);
  expect(found.map(({contextValue}) => contextValue)).toEqual(['run loose profile', 'sweep', 'run loose profile']);
  expect(found[0]?.accessibilityInformation?.label).toContain('unfinished');
  expect(found[0]?.tooltip).toContain('Command: python train.py');
});

it('lists nothing of a folder that is not trusted, and makes no index where nothing was recorded', async () => {
  expect(await opened().rows()).toEqual([]);
  expect(existsSync(join(root, '.gpu-lens'))).toBe(false);
  record(1, 5e6);
  workspace.isTrusted = false;
  expect(await opened().rows()).toEqual([]);
  expect(existsSync(join(root, '.gpu-lens', 'runs.sqlite'))).toBe(false);
});

it('pins, and deletes what is not pinned, after a question', async () => {
  const [first, second] = [record(1, 5e6), record(2, 5e6)];
  const {view, actions, rows} = opened();
  const [later, earlier] = (await view.getChildren()) as never[];
  await actions.pin(earlier);
  const shown = async () => (await rows()).map(({contextValue}) => contextValue);
  await vi.waitFor(async () => expect(await shown()).toEqual(['run loose profile', 'run pinned profile']), patience);
  await actions.delete(later);
  expect(existsSync(second)).toBe(true);
  window.presses = 'Delete';
  const pinned = (await view.getChildren()) as never[];
  await actions.delete(pinned[0], pinned);
  expect([existsSync(first), existsSync(second)]).toEqual([true, false]);
  await actions.delete(pinned[1]);
  expect(existsSync(first)).toBe(true);
  expect(window.told).toEqual([
    ...Array.from(
      {length: 2},
      () => 'Delete the run train (20260101-000002-train) with all its profiles? This cannot be undone.',
    ),
    'A pinned run is not deleted. Unpin it first.',
  ]);
});

it('applies a key to the selection, and asks to choose again if the row is gone', async () => {
  record(1, 5e6);
  const {view, actions, calls, selection} = opened();
  await actions.delete();
  selection.push(...(await view.getChildren()));
  await actions.compare(undefined);
  expect(window.told).toEqual([
    'No run is selected. Select one and try again.',
    'The list was just updated. Choose again.',
  ]);
  expect(calls).toEqual([]);
  await actions.compare();
  expect(calls).toHaveLength(1);
});

it('closes the profiles of a run before it deletes it', async () => {
  const profile = join(record(1, 5e6), 'train.pt.trace.json');
  const {view, actions, calls} = opened();
  window.presses = 'Delete';
  await actions.delete(((await view.getChildren()) as never[])[0]);
  expect(calls).toEqual([['close', profile]]);
  expect(existsSync(profile)).toBe(false);
});

it('shows no secret of a command', async () => {
  record(1, 5e6, {command: ['python', 'train.py', '--api-key', 'hidden']});
  const [row] = await opened().rows();
  expect(row?.tooltip).toContain('Command: python train.py --api-key •••');
});

it('exports a run as a copy of its folder, and overwrites none', async () => {
  record(1, 5e6);
  const {history} = opened();
  const [run] = await history.runs();
  if (!run) throw new Error('There is a run.');
  const target = join(root, 'kept');
  const copy = join(target, run.folder);
  expect(await history.exportTo(run, target)).toBe(copy);
  const profile = join(copy, 'train.pt.trace.json');
  expect(readFileSync(profile, 'utf8')).toBe('{}');
  rmSync(profile);
  const message = `The run was not exported: ${copy} is there already.`;
  await expect(history.exportTo(run, target)).rejects.toMatchObject({code: 'file/unwritable', message});
  expect(existsSync(profile)).toBe(false);
  writeFileSync(join(root, 'file'), '');
  await expect(history.exportTo(run, join(root, 'file'))).rejects.toMatchObject({code: 'file/unwritable'});
});

it('opens a run, and compares one with what is asked for, or several with each other, the earliest first', async () => {
  const [first, second, third] = [record(1, 5e6), record(2, 5e6), record(3, 5e6)].map(path =>
    join(path, 'train.pt.trace.json'),
  );
  const {view, actions, calls} = opened();
  const items = (await view.getChildren()) as never[];
  await actions.open(items[0]);
  await actions.compare(items[0]);
  await actions.compare(items[0], items.slice(1));
  await actions.compare(items[0], items);
  expect(calls).toEqual([
    ['open', third],
    ['compare', [third]],
    ['compare', [first, second]],
    ['compare', [first, second, third]],
  ]);
});

it('opens a run of several ranks with the first of them, and all as one job', async () => {
  const files = [1, 0].map(rank => ({file: `rank${String(rank)}.pt.trace.json`, kind: 'steps', steps: 3, rank}));
  const path = record(1, 5e6, {profiles: [...files, {file: 'gone.pt.trace.json', kind: 'steps', steps: 3, rank: 2}]});
  for (const {file} of files) writeFileSync(join(path, file), '{}');
  const {view, actions, calls, rows} = opened();
  expect((await rows())[0]?.description).toContain('2 ranks');
  await actions.open(((await view.getChildren()) as never[])[0]);
  expect(calls).toEqual([
    ['open', join(path, 'rank1.pt.trace.json')],
    ['job', [join(path, 'rank0.pt.trace.json'), join(path, 'rank1.pt.trace.json')]],
  ]);
});
