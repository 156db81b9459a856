import {describe, expect, it} from 'vitest';
import {urgentFirst} from '../../src/engine/urgent-first.js';
import type {Port} from '../../src/protocol/rpc.js';

/** A port whose other end is the test. */
function port(): {port: Port; send: (message: unknown) => void; posted: unknown[]} {
  let handle: (message: unknown) => void = () => undefined;
  const posted: unknown[] = [];
  return {
    port: {post: message => void posted.push(message), onMessage: handler => void (handle = handler)},
    send: message => handle(message),
    posted,
  };
}

const request = (id: number, method: string) => ({kind: 'request', id, method, params: null});
const turn = () => new Promise(resolve => setImmediate(resolve));

async function turns(count: number): Promise<void> {
  for (let i = 0; i < count; i++) await turn();
}

describe('urgentFirst(port, isUrgent)', () => {
  function served(holdMs = 60_000): {seen: string[]; send: (message: unknown) => void; posted: unknown[]; port: Port} {
    const {port: inner, send, posted} = port();
    const outer = urgentFirst(inner, {
      isUrgent: method => method.startsWith('picture') || method === 'graphs',
      announces: method => ['open', 'graphs'].includes(method),
      holdMs,
    });
    const seen: string[] = [];
    outer.onMessage(message => {
      const {kind, id, method} = message as {kind: string; id: number; method?: string};
      seen.push(method ?? `${kind} ${String(id)}`);
    });
    return {seen, send, posted, port: outer};
  }

  it('takes what is urgent before what came earlier, the rest in its order', async () => {
    const {seen, send} = served();
    send(request(1, 'table'));
    send(request(2, 'lines'));
    send(request(3, 'picture a'));
    send(request(4, 'picture b'));
    await turns(6);
    expect(seen).toEqual(['picture a', 'picture b', 'table', 'lines']);
  });

  it('lets messages in between two requests', async () => {
    const {seen, send} = served();
    send(request(1, 'table'));
    send(request(2, 'lines'));
    await turn();
    expect(seen).toEqual(['table']);
    send(request(3, 'picture'));
    await turns(4);
    expect(seen).toEqual(['table', 'picture', 'lines']);
  });

  it('hands a cancel on behind its request, however early it comes, and at once where that has begun', async () => {
    const {seen, send} = served();
    send(request(1, 'table'));
    send(request(2, 'lines'));
    send({kind: 'cancel', id: 2});
    await turns(4);
    expect(seen).toEqual(['table', 'lines', 'cancel 2']);
    send({kind: 'cancel', id: 1});
    expect(seen.at(-1)).toBe('cancel 1');
  });

  it('keeps the rest waiting for the picture that an opening announces', async () => {
    const {seen, send, port: outer} = served();
    send(request(1, 'open'));
    await turns(2);
    outer.post({kind: 'progress', id: 1});
    outer.post({kind: 'result', id: 1});
    send(request(2, 'lines'));
    await turns(3);
    send(request(3, 'picture'));
    await turns(3);
    expect(seen).toEqual(['open', 'picture']);
    outer.post({kind: 'result', id: 3});
    await turns(3);
    expect(seen).toEqual(['open', 'picture', 'lines']);
  });

  it('takes what belongs to an opening at once, and keeps the rest waiting behind it', async () => {
    const {seen, send, port: outer} = served();
    send(request(1, 'open'));
    await turns(2);
    outer.post({kind: 'result', id: 1});
    send(request(2, 'lines'));
    send(request(3, 'graphs'));
    await turns(3);
    outer.post({kind: 'result', id: 3});
    await turns(3);
    expect(seen).toEqual(['open', 'graphs']);
    send(request(4, 'picture'));
    await turns(3);
    outer.post({kind: 'result', id: 4});
    await turns(3);
    expect(seen).toEqual(['open', 'graphs', 'picture', 'lines']);
  });

  it('keeps nothing waiting for good where no picture comes, nor behind an opening that failed', async () => {
    const {seen, send, port: outer} = served(20);
    send(request(1, 'open'));
    await turns(2);
    outer.post({kind: 'result', id: 1});
    send(request(2, 'lines'));
    await expect.poll(() => seen).toEqual(['open', 'lines']);
    send(request(3, 'open'));
    await turns(2);
    outer.post({kind: 'error', id: 3});
    send(request(4, 'table'));
    await turns(3);
    expect(seen).toEqual(['open', 'lines', 'open', 'table']);
  });

  it('begins again after it has rested, and posts as the port does', async () => {
    const {seen, send, posted, port: outer} = served();
    for (const id of [1, 2, 3]) {
      send(request(id, `call ${String(id)}`));
      await turns(3);
    }
    expect(seen).toEqual(['call 1', 'call 2', 'call 3']);
    outer.post('answer');
    expect(posted).toEqual(['answer']);
  });

  it('hands on at once what is no request', async () => {
    const {port: inner, send} = port();
    const outer = urgentFirst(inner, {isUrgent: () => false, announces: () => false, holdMs: 0});
    const seen: unknown[] = [];
    outer.onMessage(message => {
      seen.push(message);
    });
    for (const message of [null, 'text', {kind: 'request'}, {kind: 'cancel', id: 9}]) send(message);
    await turn();
    expect(seen).toEqual([null, 'text', {kind: 'request'}, {kind: 'cancel', id: 9}]);
  });
});
