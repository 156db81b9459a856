import type {Contract, Handlers} from '../../src/protocol/rpc.js';
import type {Host} from '../../webview/shared/host.js';
import {recordingContext} from './recording-context.js';

/** Adds to jsdom's page what it has not and views use; nothing of it does anything. */
export function completePage(): void {
  HTMLCanvasElement.prototype.getContext = (() => recordingContext().context) as never;
  globalThis.Path2D = class {
    moveTo = () => undefined;
    lineTo = () => undefined;
  } as never;
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
  window.matchMedia = () => ({matches: false, addEventListener: () => undefined}) as never;
  globalThis.ResizeObserver = class {
    observe(): void {
      // Nothing changes its size.
    }
    unobserve(): void {
      // As above.
    }
    disconnect(): void {
      // As above.
    }
  };
}

/** What a view asked: answered by the test, when it wants. */
export interface Question {
  readonly method: string;
  readonly params: unknown;
  answer(result: unknown): void;
  fail(message: string): void;
}

/** The extension host as a test plays it: it sees each question of a view, and asks the view itself. */
export class TestHost<Asked extends Contract<Asked>, Served extends Contract<Served>> {
  readonly questions: Question[] = [];
  stored: unknown = undefined;
  #handlers: Handlers<Served> | null = null;

  /** @param answers what is answered at once, by method; all else waits for the test */
  constructor(private readonly answers: Readonly<Record<string, (params: never) => unknown>> = {}) {}

  get host(): Host<Asked, Served> {
    const ask = (method: string, params: unknown) => {
      const given = this.answers[method];
      if (given) return Promise.resolve(given(params as never));
      return new Promise((answer, reject) => {
        const fail = (message: string) => {
          reject(new Error(message));
        };
        this.questions.push({method, params, answer, fail});
      });
    };
    return {
      ask: ask,
      restore: () => this.stored,
      store: state => {
        this.stored = state;
      },
      serve: handlers => {
        this.#handlers = handlers;
      },
    };
  }

  /** Asks the view, as the extension host does. */
  async tell<K extends keyof Served>(method: K, params: Served[K]['params']): Promise<void> {
    if (!this.#handlers) throw new Error('The view serves nothing.');
    await this.#handlers[method](params, {signal: new AbortController().signal, report: () => undefined});
    await settle();
  }

  asked(method: string): Question[] {
    return this.questions.filter(question => question.method === method);
  }
}

/** Lets what waits for answers go on. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setTimeout(resolve, 0));
}
