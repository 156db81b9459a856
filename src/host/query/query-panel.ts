import * as vscode from 'vscode';
import {TraceError} from '../../core/errors.js';
import {connect, serve} from '../../protocol/rpc.js';
import type {QueryHostRequests, QueryViewRequests} from '../../protocol/query-messages.js';
import type {ResultTable} from '../../sql/result-table.js';
import {showFailure, type Log} from '../log.js';
import {webviewPort} from '../views/webview-port.js';
import {webviewHtml, webviewOptions} from '../views/webview-html.js';
import type {QueryRunner} from './query-runner.js';

/** The results of queries, beside the editor: one panel, which shows the last result. */
export class QueryPanel {
  static readonly viewType = 'gpuLens.queryResults';
  #panel: vscode.WebviewPanel | null = null;

  constructor(
    private readonly extensionUri: vscode.Uri,
    private readonly runner: QueryRunner,
    private readonly log: Log,
  ) {}

  /** Shows the panel and leaves the focus in the query. */
  show(): void {
    if (this.#panel) {
      this.#panel.reveal(undefined, true);
      return;
    }
    const panel = vscode.window.createWebviewPanel(
      QueryPanel.viewType,
      'Query Results',
      {viewColumn: vscode.ViewColumn.Beside, preserveFocus: true},
      webviewOptions(this.extensionUri),
    );
    this.#panel = panel;
    panel.iconPath = vscode.Uri.joinPath(this.extensionUri, 'media', 'icons', 'gpu-lens.svg');
    const disposables = this.#connect(panel.webview);
    panel.webview.html = webviewHtml(panel.webview, this.extensionUri, 'query', 'Query Results');
    panel.onDidDispose(() => {
      this.#panel = null;
      for (const disposable of disposables) disposable.dispose();
      // Nobody would see what comes of it.
      this.runner.cancel();
    });
  }

  #connect(webview: vscode.Webview): {dispose: () => void}[] {
    const disposables: {dispose: () => void}[] = [];
    const port = webviewPort(webview, disposables);
    const connection = connect<QueryViewRequests>(port);
    const {runner} = this;
    const send = () => {
      // A page that is hidden answers no more; it asks again when it is shown.
      connection.ask('query/content', runner.content).catch(() => undefined);
    };
    serve<QueryHostRequests>(port, {
      'view/ready': () => {
        send();
        return undefined;
      },
      'query/cancel': () => {
        runner.cancel();
        return undefined;
      },
      'query/again': () => {
        void runner.again();
        return undefined;
      },
      'query/rows': ({key, from, to}) => this.#table(key).texts({from, to}),
      'query/sort': ({key, by}) => {
        this.#table(key).sort(by);
        return undefined;
      },
      'query/copy-text': async ({text}) => {
        await vscode.env.clipboard.writeText(text);
        return undefined;
      },
      'query/copy': async ({key, from, to, format}) => {
        await vscode.env.clipboard.writeText(this.#table(key).copy(format, {from, to}));
        return undefined;
      },
      'query/save': async ({key}) => {
        await this.#save(this.#table(key));
        return undefined;
      },
    });
    disposables.push(runner.onDidChange(send), {
      dispose: () => {
        connection.close('The view was closed.');
      },
    });
    return disposables;
  }

  /** @throws TraceError `sql/failed` where another query has been run */
  #table(key: number): ResultTable {
    const table = this.runner.table(key);
    if (!table) throw new TraceError('sql/failed', 'That result is no longer there.');
    return table;
  }

  async #save(table: ResultTable): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    try {
      const uri = await vscode.window.showSaveDialog({
        title: 'Save the result as CSV',
        filters: {CSV: ['csv']},
        ...(folder && {defaultUri: vscode.Uri.joinPath(folder, 'query.csv')}),
      });
      if (uri) await vscode.workspace.fs.writeFile(uri, Buffer.from(table.copy('csv')));
    } catch (error) {
      await showFailure(this.log, error);
    }
  }
}
