import type {Port} from '../protocol/rpc.js';

interface Request {
  readonly id: number;
  readonly message: unknown;
  /** A cancel that arrived before the request's turn. */
  cancel: unknown;
}

/** Which requests take precedence. */
export interface Urgency {
  readonly isUrgent: (method: string) => boolean;
  /** After the answer to these, an urgent request is sure to follow, so other requests wait for it. */
  readonly announces: (method: string) => boolean;
  /** How long they wait at most: the urgent request may never come. */
  readonly holdMs: number;
}

/**
 * Returns a port that handles one request at a time: urgent requests first, the others in order. Between two requests
 * it lets messages in, so an urgent request waits for at most one other, however many are queued, and the first picture
 * of a profile waits for none. All other messages pass at once.
 */
export function urgentFirst(port: Port, {isUrgent, announces, holdMs}: Urgency): Port {
  const urgent: Request[] = [];
  const others: Request[] = [];
  const waiting = new Map<number, Request>();
  let handle: (message: unknown) => void = () => undefined;
  let isTurnComing = false;
  /** Methods of unanswered requests. */
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

  /** An answer was sent: the urgent request that it announces is awaited, or has arrived. */
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
