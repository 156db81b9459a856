import type * as vscode from 'vscode';
import type {Port} from '../../protocol/rpc.js';

/** The channel to the page of a webview; what listens to it is put to the `disposables`. */
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
