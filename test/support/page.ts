import type {Contract, Handlers} from '../../src/protocol/rpc.js';
import type {Host} from '../../webview/shared/host.js';
import {recordingContext} from './recording-context.js';

/** Adds to jsdom's page what it lacks and views use; the additions do nothing. */
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
      // Sizes never change.
    }
    unobserve(): void {
      // As above.
    }
    disconnect(): void {
      // As above.
    }
  };
}

/** A view's request, which the test answers when it wants. */
export interface Question {
  readonly method: string;
  readonly params: unknown;
  answer(result: unknown): void;
  fail(message: string): void;
}

/** The extension host as played by a test: it receives each request of a view, and sends requests to the view. */
export class TestHost<Asked extends Contract<Asked>, Served extends Contract<Served>> {
  readonly questions: Question[] = [];
  stored: unknown = undefined;
  #handlers: Handlers<Served> | null = null;

  /** @param answers immediate answers by method; all other requests wait for the test */
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

  /** Sends a request to the view, as the extension host does. */
  async tell<K extends keyof Served>(method: K, params: Served[K]['params']): Promise<void> {
    if (!this.#handlers) throw new Error('The view serves nothing.');
    await this.#handlers[method](params, {signal: new AbortController().signal, report: () => undefined});
    await settle();
  }

  asked(method: string): Question[] {
    return this.questions.filter(question => question.method === method);
  }
}

/** Lets code that waits for answers continue. */
export async function settle(): Promise<void> {
  for (let i = 0; i < 10; i++) await new Promise(resolve => setTimeout(resolve, 0));
}

/** Makes lists focusable, as the toolkit does. */
export function makeListsFocusable(): void {
  customElements.define(
    'vscode-dropdown',
    class extends HTMLElement {
      connectedCallback(): void {
        this.tabIndex = 0;
      }
    },
  );
}
