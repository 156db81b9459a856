import {expect, it} from 'vitest';
import {isJobRunning, untilStopped} from '../../src/cli/until-stopped.js';

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
