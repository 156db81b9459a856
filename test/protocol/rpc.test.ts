import {describe, expect, it} from 'vitest';
import {connect, serve, type Port} from '../../src/protocol/rpc.js';
import {storyOf, TraceError} from '../../src/core/base/errors.js';

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

  it('rejects with a fault of ours as one, and keeps its stack as the cause', async () => {
    const error = await pair()
      .ask('fail', undefined)
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({code: 'internal', message: 'Internal error of GPU Lens: table K is missing'});
    expect(storyOf(error)).toMatch(/Caused by: Error: table K is missing\n +at [^]*rpc\.test\.ts/);
  });

  it('keeps what an error of ours was made of, and sends no stack of one that was made of nothing', async () => {
    const [server, client] = portPair();
    const sent: unknown[] = [];
    client.onMessage(message => sent.push(message));
    serve<Pick<Methods, 'fail' | 'refuse'>>(server, {
      fail: () => {
        throw new TraceError('import/damaged', 'a.sqlite is damaged.', {cause: new RangeError('page 7')});
      },
      refuse: () => {
        throw new TraceError('file/missing', 'a.json does not exist.');
      },
    });
    const {ask} = connect<Pick<Methods, 'fail' | 'refuse'>>(client);
    const error = await ask('fail', undefined).catch((reason: unknown) => reason);
    expect(error).toMatchObject({code: 'import/damaged', message: 'a.sqlite is damaged.'});
    expect(storyOf(error)).toContain('Caused by: RangeError: page 7\n');
    await ask('refuse', undefined).catch(() => undefined);
    expect(JSON.stringify(sent.at(-1))).not.toContain('rpc.test');
  });

  it('tells the serving side of its own faults, and of no others', async () => {
    const [server, client] = portPair();
    const faults: unknown[] = [];
    serve<Pick<Methods, 'fail' | 'refuse'>>(
      server,
      {
        fail: () => {
          throw new TypeError('x is undefined');
        },
        refuse: () => {
          throw new TraceError('file/missing', 'a.json does not exist.');
        },
      },
      {onInternal: (error, method) => faults.push([method, (error as Error).message])},
    );
    const {ask} = connect<Pick<Methods, 'fail' | 'refuse'>>(client);
    for (const method of ['fail', 'refuse'] as const) await ask(method, undefined).catch(() => undefined);
    expect(faults).toEqual([['fail', 'x is undefined']]);
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
