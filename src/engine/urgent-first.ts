import type {Port} from '../protocol/rpc.js';

interface Request {
  readonly id: number;
  readonly message: unknown;
  /** The cancel that has come before its turn. */
  cancel: unknown;
}

/**
 * A port whose requests take turns: one at a time, those that are urgent before all that came earlier, else in order.
 * Between two of them messages are let in: what someone waits for in front of a picture waits for one other question at
 * most, however many are there. Everything but requests goes through at once.
 */
export function urgentFirst(port: Port, isUrgent: (method: string) => boolean): Port {
  const urgent: Request[] = [];
  const others: Request[] = [];
  const waiting = new Map<number, Request>();
  let handle: (message: unknown) => void = () => undefined;
  let isTurnComing = false;

  function takeTurn(): void {
    const request = urgent.shift() ?? others.shift();
    isTurnComing = request !== undefined;
    if (!request) return;
    setImmediate(takeTurn);
    waiting.delete(request.id);
    handle(request.message);
    if (request.cancel !== null) handle(request.cancel);
  }

  return {
    post: message => {
      port.post(message);
    },
    onMessage(handler) {
      handle = handler;
      port.onMessage(message => {
        const {kind, id, method} = (message ?? {}) as {kind?: unknown; id?: unknown; method?: unknown};
        const early = kind === 'cancel' ? waiting.get(Number(id)) : undefined;
        if (early) {
          early.cancel = message;
          return;
        }
        if (kind !== 'request' || typeof id !== 'number') {
          handle(message);
          return;
        }
        const request: Request = {id, message, cancel: null};
        waiting.set(id, request);
        (isUrgent(String(method)) ? urgent : others).push(request);
        if (!isTurnComing) setImmediate(takeTurn);
        isTurnComing = true;
      });
    },
  };
}
