import {setImmediate} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {NextTurn} from '../../../src/importers/reading/next-turn.js';

describe('new NextTurn(take)', () => {
  it('put(item) hands it over in a later turn, once', async () => {
    const taken: string[] = [];
    const nextTurn = new NextTurn<string>(item => taken.push(item));
    nextTurn.put('a');
    await Promise.resolve();
    expect(taken).toEqual([]);
    await setImmediate();
    expect(taken).toEqual(['a']);
    nextTurn.takeNow();
    await setImmediate();
    expect(taken).toEqual(['a']);
  });

  it('put(item) first hands over what waits, so that one waits at most and the order stays', async () => {
    const taken: (string | null)[] = [];
    const nextTurn = new NextTurn<string | null>(item => taken.push(item));
    for (const item of ['a', null, 'c']) nextTurn.put(item);
    expect(taken).toEqual(['a', null]);
    await setImmediate();
    expect(taken).toEqual(['a', null, 'c']);
  });

  it('cancel() forgets what waits', async () => {
    const taken: string[] = [];
    const nextTurn = new NextTurn<string>(item => taken.push(item));
    nextTurn.put('a');
    nextTurn.cancel();
    nextTurn.takeNow();
    await setImmediate();
    expect(taken).toEqual([]);
  });
});
