import {beforeEach, expect, it, vi} from 'vitest';
import {EventEmitter, window} from '../../support/vscode-stand-in.js';

vi.mock('vscode', () => import('../../support/vscode-stand-in.js'));
const {QueryRunner} = await import('../../../src/host/query/query-runner.js');

const profile = {path: '/w/run.json', name: 'run.json'};

/** A runner whose queries fail before a process is needed. */
function runnerOf(activeOpen: object | null) {
  const asked = vi.fn(() => Promise.reject(new Error('the file is gone')));
  const store = {activeOpen, entry: () => null, onDidChange: new EventEmitter().event};
  const runner = new QueryRunner({
    store: store as never,
    log: {warn: () => undefined} as never,
    programPath: '/none',
    sourceOf: asked,
    limitRows: () => 10,
  });
  return {runner, store, asked};
}

beforeEach(() => {
  window.told.length = 0;
});

it('runs the last query again on the active profile', async () => {
  const {runner, asked} = runnerOf(profile);
  await runner.run(profile as never, 'SELECT 1');
  await runner.again();
  expect(asked).toHaveBeenCalledTimes(2);
  expect(runner.content).toMatchObject({state: 'failed', sql: 'SELECT 1', message: 'the file is gone'});
  expect(window.told).toEqual([]);
  runner.dispose();
});

it('says that a query cannot run again without an open profile, and keeps its result', async () => {
  const {runner, store, asked} = runnerOf(profile);
  await runner.run(profile as never, 'SELECT 1');
  store.activeOpen = null;
  await runner.again();
  expect(window.told).toEqual(['SQL needs an open profile: open one first.']);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(runner.content).toMatchObject({state: 'failed', sql: 'SELECT 1'});
  runner.dispose();
});

it('says nothing where no query has been run', async () => {
  const {runner} = runnerOf(null);
  await runner.again();
  expect(window.told).toEqual([]);
  runner.dispose();
});
