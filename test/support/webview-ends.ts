import type {Port} from '../../src/protocol/rpc.js';

interface WebviewEnds {
  readonly webview: {
    readonly postMessage: (message: unknown) => Promise<boolean>;
    readonly onDidReceiveMessage: (listener: (message: unknown) => void) => {dispose: () => void};
  };
  readonly port: Port;
  /** How many listen on the host's side. */
  readonly listeners: () => number;
}

/** Both ends of a page, which exchange messages at once: what the host holds, and the port of the page. */
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
