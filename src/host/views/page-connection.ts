import * as vscode from 'vscode';
import type {PageFault, PageRequests} from '../../protocol/page-messages.js';
import {connect, serve, type Connection, type Contract, type Handlers, type Port} from '../../protocol/rpc.js';
import {issueDetails, logInternal, type Log} from '../base/log.js';
import {webviewPort} from './webview-port.js';

/** The host's end of a page: it answers until it is disposed of, and sends no request to a hidden page. */
export abstract class PageConnection<Asked extends Contract<Asked>, Served extends Contract<Served>>
  implements vscode.Disposable
{
  protected readonly page: Connection<Asked>;
  /** Whether the page runs, which it reports by `view/ready`. */
  protected isReady = false;
  readonly #disposables: vscode.Disposable[] = [];
  readonly #port: Port;

  constructor(
    webview: vscode.Webview,
    protected readonly log: Log,
  ) {
    this.#port = webviewPort(webview, this.#disposables);
    this.page = connect<Asked>(this.#port);
  }

  /** Answers the page's requests. Call this once. */
  protected serve(handlers: Handlers<Served>): void {
    const all = {...handlers, ...faultHandlers(this.log)} as Handlers<Served & PageRequests>;
    serve<Served & PageRequests>(this.#port, all, logInternal(this.log));
  }

  /** Sends the page a request while it runs. A hidden page misses nothing: the new one asks for everything. */
  tell<K extends keyof Asked & string>(method: K, params: Asked[K]['params']): void {
    if (this.isReady) this.page.ask(method, params).catch(() => undefined);
  }

  /** Disposes of these with the connection. */
  protected own(...disposables: vscode.Disposable[]): void {
    for (const disposable of disposables) this.#disposables.push(disposable);
  }

  /** VS Code discards the page of a hidden view, and makes a new one when it is shown. */
  becomeHidden(): void {
    this.isReady = false;
    this.page.drop('The view was hidden.');
  }

  dispose(): void {
    this.page.close('The view was closed.');
    for (const disposable of this.#disposables) disposable.dispose();
  }
}

/** A page shows its own failure; the log has the details. */
function faultHandlers(log: Log): Handlers<PageRequests> {
  return {
    'page/fault': fault => {
      log.error(faultStory(fault));
      return undefined;
    },
    'page/show-log': () => {
      log.show();
      return undefined;
    },
    'page/copy-fault': async fault => {
      await vscode.env.clipboard.writeText(issueDetails(fault.message, faultStory(fault)));
      return undefined;
    },
  };
}

function faultStory({page, message, stack}: PageFault): string {
  return [`${page}: ${message}`, stack].filter(text => text !== '').join('\n');
}
