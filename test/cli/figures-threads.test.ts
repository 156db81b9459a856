import {expect, it} from 'vitest';
import {FiguresThreads} from '../../src/cli/figures-threads.js';

it('threads that have ended refuse what they are asked for, instead of leaving it unanswered', async () => {
  const threads = new FiguresThreads({});
  const before = threads.read('before.json');
  const ended = threads.end();
  await expect(before).rejects.toMatchObject({code: 'import/cancelled'});
  await ended;
  await expect(threads.read('after.json')).rejects.toMatchObject({code: 'import/cancelled'});
});
