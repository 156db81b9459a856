import type {Port} from '../../src/protocol/rpc.js';

interface WebviewEnds {
  readonly webview: {
    readonly postMessage: (message: unknown) => Promise<boolean>;
    readonly onDidReceiveMessage: (listener: (message: unknown) => void) => {dispose: () => void};
  };
  readonly port: Port;
  /** Number of listeners on the host's side. */
  readonly listeners: () => number;
}

/** Returns both ends of a page, which exchange messages at once: the host's end, and the port of the page. */
export function webviewEnds(): WebviewEnds {
  const toHost: ((message: unknown) => void)[] = [];
  const toPage: ((message: unknown) => void)[] = [];
  const webview = {
    postMessage: (message: unknown) => {
      for (const listener of toPage) listener(message);
      return Promise.resolve(true);
    },
    onDidReceiveMessage: (listener: (message: unknown) => void) => {
      toHost.push(listener);
      return {dispose: () => void toHost.splice(toHost.indexOf(listener), 1)};
    },
  };
  const port: Port = {
    post: message => {
      for (const listener of [...toHost]) listener(message);
    },
    onMessage: handler => {
      toPage.push(handler);
    },
  };
  return {webview, port, listeners: () => toHost.length};
}
