import {assertNever} from '../../src/core/base/errors.js';
import {formatCount} from '../../src/core/format/count.js';
import type {
  QueryContent,
  QueryHostRequests,
  QueryResultView,
  QueryViewRequests,
} from '../../src/protocol/query-messages.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import type {Host} from '../shared/host.js';
import {RankSelector} from '../shared/rank-selector.js';
import {RowCache} from '../shared/row-cache.js';
import {counted, t} from '../shared/translate.js';
import {button, iconButton, progressRing} from '../shared/ui.js';
import {Grid} from '../shared/grid/grid.js';
import {keptLayouts} from '../shared/kept-layouts.js';
import {resultTable, type RowTexts} from './result-table.js';

/** Shows the rows of an SQL query, whether one is running, and why one failed. */
export class QueryView {
  #shown: QueryResultView | null = null;
  /** The profile whose ranks are offered. */
  #profileKey: number | null = null;
  readonly #title = element('span', {className: 'title'});
  readonly #summary = element('span', {
    className: 'muted',
    attributes: {'data-testid': 'summary', 'aria-live': 'polite'},
  });
  readonly #message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
  readonly #filter = element('input', {
    attributes: {type: 'search', placeholder: t('Filter rows'), 'aria-label': t('Filter rows')},
  });
  readonly #grid: Grid<RowTexts>;
  readonly #ranks: RankSelector<null>;
  readonly #bar = element('div', {
    className: 'bar',
    children: [
      this.#title,
      this.#summary,
      element('span', {className: 'spring'}),
      this.#filter,
      button(
        t('Copy as CSV'),
        () => {
          this.#copy('csv');
        },
        'icon',
      ),
      button(
        t('Copy as Markdown'),
        () => {
          this.#copy('markdown');
        },
        'icon',
      ),
      iconButton('save', t('Save as CSV…'), () => {
        if (this.#shown)
          this.host.ask('query/save', {key: this.#shown.key}).catch((error: unknown) => this.#tellError(error));
      }),
      iconButton('refresh', t('Run again'), () => this.#again()),
    ],
  });
  readonly #view = element('div', {className: 'view', children: [this.#bar]});

  constructor(
    private readonly host: Host<QueryHostRequests, QueryViewRequests>,
    private readonly body: HTMLElement,
  ) {
    this.#grid = new Grid(
      {
        sort: sort => void this.#arrange(sort, this.#filter.value),
        filter: () => {
          this.#filter.focus();
        },
        copyCell: text => {
          tellCopied(this.host.ask('query/copy-text', {text}), t('The cell'), text => this.#tell(text));
        },
        copyRows: (from, to) => {
          this.#copy('text', from, to);
        },
      },
      keptLayouts(host),
    );
    this.#ranks = new RankSelector(host, {
      section: {why: t('a query is of one rank')},
      looked: () => null,
      fail: text => this.#tell(text),
    });
    this.#title.after(this.#ranks.element);
    this.#view.append(this.#grid.element);
    this.#filter.addEventListener('input', () => void this.#arrange(this.#shown?.sort ?? [], this.#filter.value));
  }

  start(): void {
    this.#view.hidden = true;
    this.body.append(this.#view, this.#message);
    this.host.serve({
      'query/content': content => {
        this.#show(content);
        return undefined;
      },
      'ranks/changed': () => {
        this.#ranks.changed();
        return undefined;
      },
    });
    void this.host.ask('view/ready', undefined);
  }

  #again(): void {
    void this.host.ask('query/again', undefined);
  }

  #copy(format: 'text' | 'csv' | 'markdown', from = 0, to = this.#shown?.keptCount ?? 0): void {
    if (!this.#shown) return;
    const rows = format === 'text' ? t('{0} rows', to - from) : t('All rows');
    tellCopied(this.host.ask('query/copy', {key: this.#shown.key, from, to, format}), rows, text => this.#tell(text));
  }

  /** Shows in the bar what was done, or why it failed. */
  #tell(text: string): void {
    this.#summary.textContent = text;
  }

  #tellError(error: unknown): void {
    this.#tell(errorText(error));
  }

  #show(content: QueryContent): void {
    const isDone = content.state === 'done';
    this.#view.hidden = !isDone || content.result.rowCount === 0;
    this.#message.hidden = isDone && content.result.rowCount > 0;
    switch (content.state) {
      case 'done':
        this.#showResult(content.result);
        return;
      case 'empty':
        this.#message.replaceChildren(element('p', {text: t('No query has been run. Ctrl+Enter in a query runs it.')}));
        return;
      case 'running':
        this.#showRunning(content.profile, content.text);
        return;
      case 'failed':
        this.#message.replaceChildren(
          element('p', {className: 'error', text: content.message, attributes: {role: 'alert'}}),
          element('pre', {className: 'muted', text: content.sql.slice(0, 4000)}),
          element('div', {className: 'buttons', children: [button(t('Run again'), () => this.#again(), 'secondary')]}),
        );
        return;
      default:
        assertNever(content);
    }
  }

  #showRunning(profile: string, text: string): void {
    // The button does not move while the text beside it changes, so that it can be clicked.
    const line = this.#message.querySelector('.running');
    if (line && this.#message.dataset['state'] === profile) {
      line.textContent = t('{0} on {1}', text, profile);
      return;
    }
    this.#message.dataset['state'] = profile;
    const cancel = button(t('Cancel'), () => void this.host.ask('query/cancel', undefined), 'secondary');
    this.#message.replaceChildren(
      element('p', {children: [progressRing()]}),
      element('p', {className: 'running', text: t('{0} on {1}', text, profile)}),
      element('div', {className: 'buttons', children: [cancel]}),
    );
  }

  #showResult(result: QueryResultView): void {
    this.#title.textContent = result.profile;
    this.#title.title = result.sql;
    if (this.#profileKey !== result.profileKey) this.#ranks.opened(result.profileKey);
    this.#profileKey = result.profileKey;
    this.#summary.textContent = result.summary;
    if (result.rowCount === 0) {
      this.#message.replaceChildren(
        element('p', {text: t('No row of {0} fits the query.', result.profile)}),
        element('pre', {className: 'muted', text: result.sql.slice(0, 4000)}),
      );
      return;
    }
    if (this.#shown?.key === result.key) return;
    this.#filter.value = result.filter;
    this.#showRows(result);
  }

  /** Requests other rows, or another order. */
  async #arrange(sort: QueryResultView['sort'], filter: string): Promise<void> {
    const result = this.#shown;
    if (!result) return;
    try {
      const {keptCount} = await this.host.ask('query/arrange', {key: result.key, sort, filter});
      // The answer to an earlier request may arrive while another is running.
      if (this.#shown?.key !== result.key || this.#filter.value !== filter) return;
      this.#showRows({...result, sort, filter, keptCount});
      const {rowCount, summary} = result;
      this.#tell(
        filter === '' ? summary : t('{0} of {1}', formatCount(keptCount), counted(rowCount, '{0} row', '{0} rows')),
      );
    } catch (error) {
      this.#tellError(error);
    }
  }

  #showRows(result: QueryResultView): void {
    this.#shown = result;
    let isMeasured = false;
    const cache: RowCache<RowTexts> = new RowCache<RowTexts>(
      (from, to) => this.host.ask('query/rows', {key: result.key, from, to}),
      () => {
        if (this.#shown !== result) return;
        // Columns get the width of their first rows, once these have arrived.
        if (isMeasured) this.#grid.refresh();
        else this.#grid.measure();
        isMeasured = true;
      },
      // Another result has replaced this one, which is no longer shown.
      () => undefined,
    );
    this.#grid.show(resultTable(result, cache));
  }
}
