import type * as vscode from 'vscode';
import type {Port} from '../../protocol/rpc.js';

/** Returns the channel to a webview's page; its listeners are added to `disposables`. */
export function webviewPort(webview: vscode.Webview, disposables: {dispose: () => void}[]): Port {
  return {
    post: message => {
      void webview.postMessage(message);
    },
    onMessage: handler => {
      disposables.push(webview.onDidReceiveMessage(handler));
    },
  };
}
