import {readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, it, vi} from 'vitest';
import {writeOutput} from '../../src/cli/output-file.js';
import {isJobRunning, untilStopped} from '../../src/cli/until-stopped.js';
import {temporaryFolder} from '../support/project.js';

const untilAborted = (signal: AbortSignal) =>
  new Promise<string>(resolve => {
    signal.addEventListener('abort', () => {
      resolve('ended in order');
    });
  });

it.each(['stdout', 'stderr'] as const)('untilStopped(job) tells the job when nobody reads %s any more', async name => {
  const ended = untilStopped(untilAborted);
  expect(isJobRunning()).toBe(true);
  process[name].emit('error', Object.assign(new Error('write EPIPE'), {code: 'EPIPE'}));
  expect(await ended).toBe('ended in order');
  expect(isJobRunning()).toBe(false);
});

it('untilStopped(job) tells the job of a signal, and leaves no listener behind', async () => {
  const before = process.listenerCount('SIGHUP');
  const ended = untilStopped(untilAborted);
  process.emit('SIGHUP');
  expect(await ended).toBe('ended in order');
  await expect(untilStopped(() => Promise.reject(new Error('failed')))).rejects.toThrow('failed');
  expect(process.listenerCount('SIGHUP')).toBe(before);
});

it('untilStopped(job, true) goes on where the terminal is closed, and ends where it is asked to', async () => {
  const ended = untilStopped(untilAborted, true);
  let hasEnded = false;
  void ended.then(() => {
    hasEnded = true;
  });
  process.emit('SIGHUP', 'SIGHUP');
  process.stdout.emit('error', Object.assign(new Error('write EIO'), {code: 'EIO'}));
  await new Promise(setImmediate);
  expect(hasEnded).toBe(false);
  process.emit('SIGTERM');
  expect(await ended).toBe('ended in order');
});

it('untilStopped(job) tells a second wish to end apart from one that two processes heard', async () => {
  vi.useFakeTimers({toFake: ['performance']});
  const ended = untilStopped((signal, abandon) => {
    process.emit('SIGINT');
    process.emit('SIGINT');
    process.stdout.emit('error', new Error('write EPIPE'));
    const before = abandon.aborted;
    vi.advanceTimersByTime(2000);
    process.emit('SIGINT');
    return Promise.resolve([signal.aborted, before, abandon.aborted]);
  });
  expect(await ended).toEqual([true, false, true]);
  vi.useRealTimers();
});

it('writeOutput(path, texts) leaves nothing behind where the command is ended', async () => {
  const path = join(temporaryFolder(), 'out.csv');
  function* endless(): Generator<string> {
    for (let piece = 0; ; piece++) {
      if (piece === 1000) setImmediate(() => process.emit('SIGINT'));
      yield 'x'.repeat(1000);
    }
  }
  await expect(writeOutput(path, endless())).rejects.toThrow(`Writing ${path} was cancelled.`);
  expect(readdirSync(dirname(path))).toEqual([]);
});
