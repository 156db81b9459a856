import {describe, expect, it} from 'vitest';
import {connect, serve, type Port} from '../../src/protocol/rpc.js';
import {TraceError} from '../../src/core/base/errors.js';

interface Methods {
  double: {params: number; result: number};
  fail: {params: undefined; result: never};
  refuse: {params: undefined; result: never};
  slow: {params: undefined; result: string; progress: number};
}

/** Two ends of a channel in memory, which copies messages as real ones do. */
function portPair(): [Port, Port] {
  const handlers: [((message: unknown) => void)[], ((message: unknown) => void)[]] = [[], []];
  const end = (mine: 0 | 1, theirs: 0 | 1): Port => ({
    post: message => {
      for (const handler of handlers[theirs]) {
        queueMicrotask(() => {
          handler(structuredClone(message));
        });
      }
    },
    onMessage: handler => {
      handlers[mine].push(handler);
    },
  });
  return [end(0, 1), end(1, 0)];
}

function pair() {
  const [server, client] = portPair();
  serve<Methods>(server, {
    double: number => 2 * number,
    fail: () => {
      throw new Error('table K is missing');
    },
    refuse: () => {
      throw new TraceError('file/missing', 'a.json does not exist.');
    },
    slow: (_params, {signal, report}) =>
      new Promise((resolve, reject) => {
        report(0.5);
        signal.addEventListener('abort', () => {
          reject(new TraceError('import/cancelled', 'Cancelled.'));
        });
        setTimeout(() => {
          resolve('done');
        }, 50);
      }),
  });
  return {...connect<Methods>(client), client, server};
}

describe('connect(port).ask(method, params)', () => {
  it('resolves with the handler’s result', async () => {
    await expect(pair().ask('double', 21)).resolves.toBe(42);
  });

  it('rejects with the message of what the handler threw', async () => {
    await expect(pair().ask('fail', undefined)).rejects.toMatchObject({
      code: 'rpc/failed',
      message: 'table K is missing',
    });
  });

  it('keeps the code of an error of ours', async () => {
    await expect(pair().ask('refuse', undefined)).rejects.toMatchObject({code: 'file/missing'});
  });

  it('rejects for a method that nobody serves, also one that every object has', async () => {
    const {ask} = pair();
    await expect((ask as (method: string, params: unknown) => Promise<unknown>)('nothing', 1)).rejects.toMatchObject({
      code: 'rpc/failed',
    });
    await expect((ask as (method: string, params: unknown) => Promise<unknown>)('toString', 1)).rejects.toMatchObject({
      code: 'rpc/failed',
    });
  });

  it('hands over progress, and the result after it', async () => {
    const progress: number[] = [];
    await expect(pair().ask('slow', undefined, {onProgress: at => progress.push(at)})).resolves.toBe('done');
    expect(progress).toEqual([0.5]);
  });

  it('cancels through the signal, also one that is aborted already', async () => {
    const {ask} = pair();
    const controller = new AbortController();
    const asked = ask('slow', undefined, {signal: controller.signal});
    controller.abort();
    await expect(asked).rejects.toMatchObject({code: 'import/cancelled'});
    await expect(ask('slow', undefined, {signal: AbortSignal.abort()})).rejects.toMatchObject({
      code: 'import/cancelled',
    });
  });

  it('rejects what is waiting when the connection closes, and all later questions', async () => {
    const {ask, close} = pair();
    const asked = ask('slow', undefined);
    close('The engine has stopped.');
    await expect(asked).rejects.toMatchObject({code: 'rpc/closed', message: 'The engine has stopped.'});
    await expect(ask('double', 1)).rejects.toMatchObject({code: 'rpc/closed'});
  });

  it('is not disturbed by messages of others', async () => {
    const {ask, client, server} = pair();
    for (const message of [null, 3, 'x', {}, {kind: 'result'}, {kind: 'error', id: 'x'}, {kind: 'result', id: 99}]) {
      client.post(message);
      server.post(message);
    }
    await expect(ask('double', 2)).resolves.toBe(4);
  });

  it('does not compile with the wrong parameters', () => {
    const {ask} = pair();
    // @ts-expect-error -- double takes a number
    expect(() => ask('double', 'x')).not.toThrow();
  });
});
