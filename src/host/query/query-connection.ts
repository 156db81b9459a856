import * as vscode from 'vscode';
import {TraceError} from '../../core/base/errors.js';
import type {QueryHostRequests, QueryViewRequests} from '../../protocol/query-messages.js';
import type {ResultTable} from '../../sql/result-table.js';
import {showFailure, type Log} from '../base/log.js';
import {rankHandlers, type RankServices} from '../profiles/rank-handlers.js';
import {PageConnection} from '../views/page-connection.js';
import type {QueryRunner} from './query-runner.js';

/** The results of queries: answers the page's requests, and sends it its content. */
export class QueryConnection extends PageConnection<QueryViewRequests, QueryHostRequests> {
  constructor(
    webview: vscode.Webview,
    private readonly runner: QueryRunner,
    services: RankServices,
    log: Log,
  ) {
    super(webview, log);
    const ranks = rankHandlers(services);
    this.serve({
      ...ranks,
      // The same query, of the other rank.
      'ranks/show': async (params, context) => {
        const isShown = await ranks['ranks/show'](params, context);
        if (isShown) void runner.again();
        return isShown;
      },
      'view/ready': () => {
        this.isReady = true;
        this.#send();
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
      'query/arrange': ({key, sort, filter}) => {
        this.#table(key);
        return {keptCount: runner.arrange(key, sort, filter)};
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
    this.own(
      runner.onDidChange(() => {
        if (this.isReady) this.#send();
      }),
      services.jobs.onDidChange(() => this.tell('ranks/changed', undefined)),
    );
  }

  override dispose(): void {
    super.dispose();
    // Nobody would see what comes of it.
    this.runner.cancel();
  }

  #send(): void {
    // A page that is hidden answers no more; it asks again when it is shown.
    this.page.ask('query/content', this.runner.content).catch(() => undefined);
  }

  /** @throws TraceError `sql/failed` where another query has been run */
  #table(key: number): ResultTable {
    const table = this.runner.table(key);
    if (!table) throw new TraceError('sql/failed', vscode.l10n.t('That result is no longer there.'));
    return table;
  }

  async #save(table: ResultTable): Promise<void> {
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    try {
      const uri = await vscode.window.showSaveDialog({
        title: vscode.l10n.t('Save the result as CSV'),
        filters: {CSV: ['csv']},
        ...(folder && {defaultUri: vscode.Uri.joinPath(folder, 'query.csv')}),
      });
      if (uri) await vscode.workspace.fs.writeFile(uri, Buffer.from(table.copy('csv')));
    } catch (error) {
      await showFailure(this.log, error);
    }
  }
}
