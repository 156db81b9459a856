import * as vscode from 'vscode';
import {counted, formatCount} from '../../core/format/count.js';
import {describeError} from '../../core/base/errors.js';
import type {QueryContent, QuerySort} from '../../protocol/query-messages.js';
import {SqlClient} from '../../sql/client.js';
import type {ProfileSource, SqlEnd, SqlProgress} from '../../sql/messages.js';
import {ResultTable} from '../../sql/result-table.js';
import type {Log} from '../base/log.js';
import type {OpenProfile, ProfileStore} from '../profiles/profile-store.js';
import {askForProfile} from './ask-for-profile.js';

/** How long a process is kept after its last query, with the profile in memory. */
const idleMs = 5 * 60e3;

export interface QueryRunnerOptions {
  readonly store: ProfileStore;
  readonly log: Log;
  /** The bundle of the process. */
  readonly programPath: string;
  readonly sourceOf: (profile: OpenProfile, signal: AbortSignal) => Promise<ProfileSource>;
  readonly limitRows: () => number;
}

/** Runs queries on open profiles, one at a time, and holds the last result. */
export class QueryRunner implements vscode.Disposable {
  readonly #client: SqlClient;
  readonly #changed = new vscode.EventEmitter<void>();
  /** Fires when the content to show has changed. */
  readonly onDidChange = this.#changed.event;
  readonly #onStore: vscode.Disposable;
  #content: QueryContent = {state: 'empty'};
  #table: ResultTable | null = null;
  #key = 0;
  #running: {readonly cancel: AbortController; readonly path: string} | null = null;
  #lastPath: string | null = null;
  #lastSql: string | null = null;
  #idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: QueryRunnerOptions) {
    this.#client = new SqlClient(options.programPath);
    // A profile that is closed gives its memory back, here too.
    this.#onStore = options.store.onDidChange(() => {
      if (this.#lastPath !== null && options.store.entry(this.#lastPath) === null) this.#endProcess();
    });
  }

  get content(): QueryContent {
    return this.#content;
  }

  /** The result with a key; null once another query has been run. */
  table(key: number): ResultTable | null {
    return key === this.#key ? this.#table : null;
  }

  /** Shows the rows of the result `key` that have a text, in another order; returns how many those are. */
  arrange(key: number, sort: readonly QuerySort[], filter: string): number {
    const table = this.table(key);
    table?.arrange(sort, filter);
    const keptCount = table?.shownCount ?? 0;
    const content = this.#content;
    if (content.state === 'done' && content.result.key === key)
      this.#content = {state: 'done', result: {...content.result, sort, filter, keptCount}};
    return keptCount;
  }

  cancel(): void {
    this.#running?.cancel.abort();
  }

  /** Runs the last query again, on the profile that is active now; asks for one if none is open. */
  async again(): Promise<void> {
    if (this.#lastSql === null) return;
    const {activeOpen} = this.options.store;
    if (activeOpen) await this.run(activeOpen, this.#lastSql);
    else await askForProfile();
  }

  /** Runs a query, and cancels a running one. Its outcome is the new content. */
  async run(profile: OpenProfile, sql: string): Promise<void> {
    this.cancel();
    clearTimeout(this.#idle);
    const running = {cancel: new AbortController(), path: profile.path};
    this.#running = running;
    this.#lastPath = profile.path;
    this.#lastSql = sql;
    this.#table = null;
    const show = (content: QueryContent) => {
      if (this.#running === running) this.#show(content);
    };
    show({state: 'running', profile: profile.name, text: vscode.l10n.t('Starting')});
    try {
      const content = await this.#answer(profile, sql, running.cancel.signal, text => {
        show({state: 'running', profile: profile.name, text});
      });
      show(content);
    } catch (error) {
      const {code, message} = describeError(error, 'sql/failed');
      if (code !== 'sql/cancelled') this.options.log.warn(`Query on ${profile.name}: ${message}`);
      show({state: 'failed', sql, message});
    } finally {
      if (this.#running === running) {
        this.#running = null;
        this.#idle = setTimeout(() => {
          this.#client.dispose();
        }, idleMs);
      }
    }
  }

  dispose(): void {
    this.#endProcess();
    this.#onStore.dispose();
    this.#changed.dispose();
  }

  async #answer(
    profile: OpenProfile,
    sql: string,
    signal: AbortSignal,
    tell: (text: string) => void,
  ): Promise<QueryContent> {
    const source = await this.options.sourceOf(profile, signal);
    let table = new ResultTable([]);
    const end = await this.#client.query(source, sql, {
      signal,
      limitRows: this.options.limitRows(),
      onProgress: progress => {
        tell(progressText(progress));
      },
      onColumns: columns => (table = new ResultTable(columns)),
      onRows: rows => {
        table.add(rows);
        tell(vscode.l10n.t('Running: {0} rows', formatCount(table.length)));
      },
    });
    this.#table = table;
    const result = {
      key: ++this.#key,
      ...{profile: profile.name, profileKey: profile.key},
      sql,
      columns: table.columns,
      isNumeric: table.isNumeric,
      rowCount: table.length,
      keptCount: table.length,
      ...{sort: [], filter: ''},
      summary: summaryText(end),
    };
    return {state: 'done', result};
  }

  #endProcess(): void {
    clearTimeout(this.#idle);
    this.cancel();
    this.#client.dispose();
    this.#lastPath = null;
  }

  #show(content: QueryContent): void {
    this.#content = content;
    this.#changed.fire();
  }
}

function progressText({step, fraction}: SqlProgress): string {
  const percent = Math.floor(100 * fraction);
  switch (step) {
    case 'read':
      return vscode.l10n.t('Reading the profile: {0} %', percent);
    case 'fill':
      return vscode.l10n.t('Making tables: {0} %', percent);
    case 'run':
      return vscode.l10n.t('Running');
  }
}

function summaryText({rowCount, sentRows, isCounted, cutTexts, ranMs}: SqlEnd): string {
  const rows = counted(rowCount, '{0} row', '{0} rows');
  const first = formatCount(sentRows);
  const shown =
    sentRows >= rowCount
      ? rows
      : isCounted
        ? vscode.l10n.t('the first {0} of {1}', first, rows)
        : vscode.l10n.t('the first {0} of more than {1}', first, rows);
  const ran = vscode.l10n.t('{0} in {1} s', shown, (ranMs / 1000).toFixed(ranMs < 1000 ? 3 : 1));
  if (cutTexts === 0) return ran;
  return `${ran} · ${counted(cutTexts, '{0} long text was cut', '{0} long texts were cut')}`;
}
