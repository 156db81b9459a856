import type {Port} from '../protocol/rpc.js';

interface Request {
  readonly id: number;
  readonly message: unknown;
  /** The cancel that has come before its turn. */
  cancel: unknown;
}

/** Which requests are more than others. */
export interface Urgency {
  readonly isUrgent: (method: string) => boolean;
  /** Behind the answer to these something urgent is sure to come: others wait for that. */
  readonly announces: (method: string) => boolean;
  /** No longer than this after the last of them: nobody may be looking. */
  readonly holdMs: number;
}

/**
 * A port whose requests take turns: one at a time, those that are urgent before all that came earlier, else in order.
 * Between two of them messages are let in: what someone waits for in front of a picture waits for one other question at
 * most, however many are there, and the first picture of a profile for none. Everything but requests goes through at once.
 */
export function urgentFirst(port: Port, {isUrgent, announces, holdMs}: Urgency): Port {
  const urgent: Request[] = [];
  const others: Request[] = [];
  const waiting = new Map<number, Request>();
  let handle: (message: unknown) => void = () => undefined;
  let isTurnComing = false;
  /** Methods of requests that are not answered yet. */
  const methods = new Map<number, string>();
  let hold: ReturnType<typeof setTimeout> | null = null;

  function comeTurn(): void {
    if (!isTurnComing) setImmediate(takeTurn);
    isTurnComing = true;
  }

  function endHold(): void {
    if (hold !== null) clearTimeout(hold);
    hold = null;
    comeTurn();
  }

  /** An answer is given: what it announces is waited for, or is there. */
  function answered({id, kind}: {id?: unknown; kind?: unknown}): void {
    const method = methods.get(Number(id));
    if (method === undefined || kind === 'progress') return;
    methods.delete(Number(id));
    if (announces(method) && kind === 'result') {
      if (hold !== null) clearTimeout(hold);
      hold = setTimeout(endHold, holdMs);
    } else if (isUrgent(method)) endHold();
  }

  function takeTurn(): void {
    const request = urgent.shift() ?? (hold === null ? others.shift() : undefined);
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
      answered(message ?? {});
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
        methods.set(id, String(method));
        (isUrgent(String(method)) ? urgent : others).push(request);
        comeTurn();
      });
    },
  };
}
