import {expect, it, vi} from 'vitest';
import {EventEmitter} from '../../support/vscode-stand-in.js';

const ended = new EventEmitter();
const processEnded = new EventEmitter();
const execution = {terminate: vi.fn()};
/** What VS Code does when it is asked to run the task. */
let start: () => Promise<unknown>;
vi.mock('vscode', async () => ({
  l10n: (await import('../../support/vscode-stand-in.js')).l10n,
  tasks: {
    onDidEndTask: ended.event,
    onDidEndTaskProcess: processEnded.event,
    executeTask: () => start(),
  },
}));
const {runTask} = await import('../../../src/host/run/wait-for-task.js');

/** Runs a task; `cancel` is what the user can press. */
function run(isBackground: boolean) {
  const cancelled = new EventEmitter();
  const token = {isCancellationRequested: false, onCancellationRequested: cancelled.event};
  const cancel = () => {
    token.isCancellationRequested = true;
    cancelled.fire(undefined);
  };
  return {result: runTask({isBackground} as never, token), cancel};
}

it('waits for the end of a task', async () => {
  start = () => Promise.resolve(execution);
  const {result} = run(false);
  await Promise.resolve();
  processEnded.fire({execution, exitCode: 3});
  ended.fire({execution});
  expect(await result).toEqual({isCancelled: false, status: 3});
});

it('takes a task for ended that was so before VS Code said which it is', async () => {
  start = () => {
    ended.fire({execution});
    return Promise.resolve(execution);
  };
  expect(await run(false).result).toEqual({isCancelled: false, status: undefined});
});

it('goes on once a task of the background has started', async () => {
  start = () => Promise.resolve(execution);
  expect(await run(true).result).toEqual({isCancelled: false, status: undefined});
});

it('ends the task where the user does not want to wait', async () => {
  start = () => Promise.resolve(execution);
  const {result, cancel} = run(false);
  await Promise.resolve();
  cancel();
  expect(await result).toEqual({isCancelled: true});
  expect(execution.terminate).toHaveBeenCalledOnce();
});
