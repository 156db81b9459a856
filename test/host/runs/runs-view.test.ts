import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import type {KeptRun} from '../../../src/host/runs/run-history.js';
import {patience} from '../../support/patience.js';
import {EventEmitter, treeView, window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {RunsView} = await import('../../../src/host/runs/runs-view.js');

beforeEach(() => {
  treeView.visible = true;
  window.told.length = 0;
});

const open: {dispose: () => void}[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.dispose();
});

/** A view whose runs are read when the test says so. */
function opened() {
  const changes = new EventEmitter();
  const answers: {readonly resolve: (runs: readonly KeptRun[]) => void; readonly reject: (error: Error) => void}[] = [];
  const runs = vi.fn(
    () => new Promise<KeptRun[]>((resolve, reject) => answers.push({resolve: resolve as never, reject})),
  );
  const history = {runs, sweeps: () => Promise.resolve([]), onDidChange: changes.event as never};
  const log = {error: () => undefined} as never;
  const view = new RunsView(history, log);
  open.push(view);
  const drawn = vi.fn();
  view.onDidChangeTreeData(drawn);
  const change = () => {
    changes.fire(undefined);
  };
  /** Answers a reading, the first as 0, once it is asked for. */
  const answer = async (reading: number, ...names: string[]) => {
    const asked = await vi.waitFor(() => answers[reading] ?? expect.fail('not asked'), patience);
    asked.resolve(names.map(name => ({name, began: name, profiles: []}) as never));
  };
  const names = async () => (await view.getChildren()).map(item => ('run' in item ? item.run.name : ''));
  return {view, runs, answers, answer, change, drawn, names};
}

/** A view that has drawn the run "a". */
async function drawnOnce() {
  const one = opened();
  const first = one.names();
  await one.answer(0, 'a');
  expect(await first).toEqual(['a']);
  expect(one.drawn).not.toHaveBeenCalled();
  return one;
}

it('reads rows before it has them drawn again, and does so only if they differ', async () => {
  const {runs, change, answer, drawn, names} = await drawnOnce();
  change();
  await answer(1, 'a');
  change();
  expect(await names()).toEqual(['a']);
  await answer(2, 'b', 'a');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  expect(await names()).toEqual(['b', 'a']);
  expect(runs).toHaveBeenCalledTimes(3);
});

it('reads once more for all changes that come during one reading', async () => {
  const {runs, change, answer, drawn, names} = await drawnOnce();
  for (let at = 0; at < 3; at++) change();
  expect(runs).toHaveBeenCalledTimes(2);
  await answer(1, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  await answer(2, 'c');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(2), patience);
  expect(await names()).toEqual(['c']);
  expect(runs).toHaveBeenCalledTimes(3);
});

it('answers after the first reading, and draws what changed during it afterwards', async () => {
  const {change, answer, drawn, names} = opened();
  const both = [names(), names()];
  change();
  await answer(0, 'a');
  expect(await Promise.all(both)).toEqual([['a'], ['a']]);
  await answer(1, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  expect(await names()).toEqual(['b']);
});

it('reads nothing while it is hidden, and once when it is shown', async () => {
  const {runs, change, answer, drawn, names} = await drawnOnce();
  treeView.show(false);
  change();
  change();
  expect(runs).toHaveBeenCalledTimes(1);
  treeView.show(true);
  await answer(1, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  expect(await names()).toEqual(['b']);
  treeView.show(false);
  treeView.show(true);
  expect(runs).toHaveBeenCalledTimes(2);
});

it('reads a change that came while it was hidden, once it is shown', async () => {
  const {runs, change, answer, drawn, names} = await drawnOnce();
  change();
  treeView.show(false);
  change();
  await answer(1, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
  expect(runs).toHaveBeenCalledTimes(2);
  treeView.show(true);
  await answer(2, 'c');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(2), patience);
  expect(await names()).toEqual(['c']);
});

it('keeps its rows where they cannot be read again, and reads them when it is asked next', async () => {
  const {change, answers, answer, drawn, names} = await drawnOnce();
  change();
  answers[1]?.reject(new Error('The disk is gone.'));
  await vi.waitFor(() => expect(window.told).toHaveLength(1), patience);
  expect(await names()).toEqual(['a']);
  expect(drawn).not.toHaveBeenCalled();
  treeView.show(false);
  treeView.show(true);
  await answer(2, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
});

it('reads once more where a change came during a reading that failed', async () => {
  const {change, answers, answer, drawn} = await drawnOnce();
  change();
  change();
  answers[1]?.reject(new Error('The disk is gone.'));
  await answer(2, 'b');
  await vi.waitFor(() => expect(drawn).toHaveBeenCalledTimes(1), patience);
});

it('has no rows where the first reading fails, without waiting for the message to be closed', async () => {
  const {answers, answer, names} = opened();
  const first = names();
  answers[0]?.reject(new Error('The disk is gone.'));
  expect(await first).toEqual([]);
  const second = names();
  await answer(1, 'a');
  expect(await second).toEqual(['a']);
});
