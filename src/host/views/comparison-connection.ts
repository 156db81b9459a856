import * as vscode from 'vscode';
import type {
  ComparisonContent,
  ComparisonHostRequests,
  ComparisonViewRequests,
} from '../../protocol/comparison-messages.js';
import {connect, serve, type Connection} from '../../protocol/rpc.js';
import {logInternal, type Log} from '../base/log.js';
import type {ViewActions} from './view-actions.js';
import type {PanelConnection} from './view-panel.js';
import {webviewPort} from './webview-port.js';

/** What the page of comparisons shows; it outlives the page. */
export class ShownComparison implements vscode.Disposable {
  readonly #changed = new vscode.EventEmitter<void>();
  readonly onDidChange = this.#changed.event;
  #content: ComparisonContent = {state: 'empty'};

  get content(): ComparisonContent {
    return this.#content;
  }

  show(content: ComparisonContent): void {
    this.#content = content;
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }
}

/** The page of a comparison: tells it what to show, and does what its buttons ask for. */
export class ComparisonConnection implements PanelConnection {
  readonly #disposables: vscode.Disposable[] = [];
  readonly #connection: Connection<ComparisonViewRequests>;
  #isReady = false;

  constructor(webview: vscode.Webview, shown: ShownComparison, actions: Pick<ViewActions, 'copy' | 'save'>, log: Log) {
    const port = webviewPort(webview, this.#disposables);
    this.#connection = connect<ComparisonViewRequests>(port);
    const send = () => {
      // A page that is hidden answers no more; it asks again when it is shown.
      if (this.#isReady) this.#connection.ask('comparison/content', shown.content).catch(() => undefined);
    };
    serve<ComparisonHostRequests>(
      port,
      {
        'view/ready': () => {
          this.#isReady = true;
          send();
          return undefined;
        },
        'clipboard/write': ({text}) => actions.copy(text),
        'file/save': file => actions.save(file, null),
      },
      logInternal(log),
    );
    this.#disposables.push(shown.onDidChange(send));
  }

  becomeHidden(): void {
    this.#isReady = false;
    this.#connection.drop('The view was hidden.');
  }

  dispose(): void {
    this.#connection.close('The view was closed.');
    for (const disposable of this.#disposables) disposable.dispose();
  }
}
