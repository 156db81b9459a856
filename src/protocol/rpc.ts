import {describeError, remoteError, storyOf, TraceError, type TraceErrorCode} from '../core/base/errors.js';

/** One end of any message channel: a worker, a webview, `acquireVsCodeApi()`. */
export interface Port {
  post(message: unknown): void;
  onMessage(handler: (message: unknown) => void): void;
}

/** A method's parameters, its result, and the progress that it reports (`never` if none). */
interface Method {
  readonly params: unknown;
  readonly result: unknown;
  readonly progress?: unknown;
}
/** A contract: every member of the interface is a method. */
export type Contract<R> = {[K in keyof R]: Method};

/** The second argument of a handler. */
interface CallContext<Progress> {
  /** Aborted when the caller cancels. */
  readonly signal: AbortSignal;
  readonly report: (progress: Progress) => void;
}

type ProgressOf<M> = M extends {progress: infer P} ? P : never;

export type Handlers<R extends Contract<R>> = {
  [K in keyof R]: (
    params: R[K]['params'],
    context: CallContext<ProgressOf<R[K]>>,
  ) => Promise<R[K]['result']> | R[K]['result'];
};

export interface CallOptions<Progress> {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Asks the other side: resolves with its result, rejects with its error. */
export type Ask<R extends Contract<R>> = <K extends keyof R & string>(
  method: K,
  params: R[K]['params'],
  options?: CallOptions<ProgressOf<R[K]>>,
) => Promise<R[K]['result']>;

export interface Connection<R extends Contract<R>> {
  readonly ask: Ask<R>;
  /** Rejects all pending requests, because the other side has forgotten them. */
  readonly drop: (reason: string) => void;
  /** Rejects all pending and future requests, because the other side is gone. */
  readonly close: (reason: string) => void;
}

type Handler = (params: unknown, context: CallContext<unknown>) => unknown;

type Wire =
  | {readonly kind: 'request'; readonly id: number; readonly method: string; readonly params: unknown}
  | {readonly kind: 'cancel'; readonly id: number}
  | {readonly kind: 'progress'; readonly id: number; readonly progress: unknown}
  | {readonly kind: 'result'; readonly id: number; readonly result: unknown}
  | {
      readonly kind: 'error';
      readonly id: number;
      readonly code: TraceErrorCode;
      readonly message: string;
      /** The stack, for the caller's log. Expected errors have none. */
      readonly story?: string;
    };

export interface ServeOptions {
  /** Called with unexpected errors of a handler. */
  readonly onInternal?: ((error: unknown, method: string) => void) | undefined;
}

/** Answers every request with its handler's result, or with the error that the handler threw. */
export function serve<R extends Contract<R>>(port: Port, handlers: Handlers<R>, {onInternal}: ServeOptions = {}): void {
  const running = new Map<number, AbortController>();
  port.onMessage(message => {
    if (!isWire(message)) return;
    if (message.kind === 'cancel') running.get(message.id)?.abort();
    if (message.kind === 'request') void answer(message.id, message.method, message.params);
  });

  async function answer(id: number, method: string, params: unknown): Promise<void> {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      if (!Object.hasOwn(handlers, method)) throw new TraceError('rpc/failed', `There is no method "${method}".`);
      const handler = handlers[method as keyof R] as unknown as Handler;
      const report = (progress: unknown) => {
        post({kind: 'progress', id, progress});
      };
      post({kind: 'result', id, result: await handler(params, {signal: controller.signal, report})});
    } catch (error) {
      const told = describeError(error, 'internal');
      if (told.code === 'internal') onInternal?.(error, method);
      // The cause of our own errors is the original error.
      const hasStory = told.code === 'internal' || (error instanceof Error && error.cause !== undefined);
      post({kind: 'error', id, ...told, ...(hasStory && {story: storyOf(error)})});
    } finally {
      running.delete(id);
    }
  }

  function post(message: Wire): void {
    port.post(message);
  }
}

/** Returns the calling side of `serve`. */
export function connect<R extends Contract<R>>(port: Port): Connection<R> {
  interface Call {
    resolve(value: unknown): void;
    reject(error: Error): void;
    onProgress: ((progress: unknown) => void) | undefined;
  }
  const waiting = new Map<number, Call>();
  let nextId = 0;
  let closedBecause: string | null = null;

  port.onMessage(message => {
    if (!isWire(message) || message.kind === 'request' || message.kind === 'cancel') return;
    const call = waiting.get(message.id);
    if (message.kind === 'progress') {
      call?.onProgress?.(message.progress);
      return;
    }
    waiting.delete(message.id);
    if (message.kind === 'result') call?.resolve(message.result);
    else {
      const {code, message: sentence, story} = message;
      const cause = story === undefined ? undefined : {cause: remoteError(sentence, story)};
      call?.reject(new TraceError(code, sentence, cause));
    }
  });

  const ask: Ask<R> = (method, params, options = {}) =>
    new Promise((resolve, reject) => {
      if (closedBecause !== null) {
        reject(new TraceError('rpc/closed', closedBecause));
        return;
      }
      const id = nextId++;
      waiting.set(id, {
        resolve: resolve,
        reject,
        onProgress: options.onProgress as Call['onProgress'],
      });
      port.post({kind: 'request', id, method, params} satisfies Wire);
      options.signal?.addEventListener('abort', () => {
        port.post({kind: 'cancel', id} satisfies Wire);
      });
      if (options.signal?.aborted) port.post({kind: 'cancel', id} satisfies Wire);
    });

  const drop = (reason: string) => {
    for (const call of waiting.values()) call.reject(new TraceError('rpc/closed', reason));
    waiting.clear();
  };
  return {
    ask,
    drop,
    close(reason) {
      closedBecause = reason;
      drop(reason);
    },
  };
}

const wireKinds = new Set<unknown>(['request', 'cancel', 'progress', 'result', 'error']);

/** Channels carry other messages too; those of the RPC have a kind and an id. */
function isWire(message: unknown): message is Wire {
  if (typeof message !== 'object' || message === null) return false;
  const {kind, id} = message as {kind?: unknown; id?: unknown};
  return wireKinds.has(kind) && typeof id === 'number';
}
