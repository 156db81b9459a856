import './query.css';
import {assertNever} from '../../src/core/base/errors.js';
import type {
  QueryContent,
  QueryHostRequests,
  QueryResultView,
  QueryViewRequests,
} from '../../src/protocol/query-messages.js';
import {errorText, tellCopied} from '../shared/copied.js';
import {element} from '../shared/dom.js';
import {connectHost} from '../shared/host.js';
import {RowCache} from '../shared/row-cache.js';
import {button, iconButton, progressRing} from '../shared/ui.js';
import {ResultGrid, type RowTexts} from './result-grid.js';

const host = connectHost<QueryHostRequests, QueryViewRequests>();
let shown: QueryResultView | null = null;
let cache: RowCache<RowTexts> | null = null;

const title = element('span', {className: 'title'});
const summary = element('span', {className: 'muted', attributes: {'data-testid': 'summary', 'aria-live': 'polite'}});
const message = element('div', {className: 'message', attributes: {'aria-live': 'polite'}});
const grid = new ResultGrid({
  sort: by => {
    const result = shown;
    if (result) host.ask('query/sort', {key: result.key, by}).then(() => cache?.clear(), tellError);
  },
  copyCell: text => {
    tellCopied(host.ask('query/copy-text', {text}), 'The cell', tell);
  },
  copyRows: (from, to) => {
    copy('text', from, to);
  },
});
const bar = element('div', {
  className: 'bar',
  children: [
    title,
    summary,
    element('span', {className: 'spring'}),
    button(
      'Copy as CSV',
      () => {
        copy('csv');
      },
      'icon',
    ),
    button(
      'Copy as Markdown',
      () => {
        copy('markdown');
      },
      'icon',
    ),
    iconButton('save', 'Save as CSV…', () => {
      if (shown) host.ask('query/save', {key: shown.key}).catch(tellError);
    }),
    iconButton('refresh', 'Run again', again),
  ],
});
const view = element('div', {className: 'view', children: [bar, grid.element]});
view.hidden = true;
document.body.append(view, message);

function again(): void {
  void host.ask('query/again', undefined);
}

function copy(format: 'text' | 'csv' | 'markdown', from = 0, to = shown?.rowCount ?? 0): void {
  if (!shown) return;
  const rows = format === 'text' ? `${String(to - from)} rows` : 'All rows';
  tellCopied(host.ask('query/copy', {key: shown.key, from, to, format}), rows, tell);
}

/** Says in the bar what was done, or why it was not. */
function tell(text: string): void {
  summary.textContent = text;
}

function tellError(error: unknown): void {
  tell(errorText(error));
}

function show(content: QueryContent): void {
  const isDone = content.state === 'done';
  view.hidden = !isDone || content.result.rowCount === 0;
  message.hidden = isDone && content.result.rowCount > 0;
  switch (content.state) {
    case 'done':
      showResult(content.result);
      return;
    case 'empty':
      message.replaceChildren(element('p', {text: 'No query has been run. Ctrl+Enter in a query runs it.'}));
      return;
    case 'running':
      showRunning(content.profile, content.text);
      return;
    case 'failed':
      message.replaceChildren(
        element('p', {className: 'error', text: content.message, attributes: {role: 'alert'}}),
        element('pre', {className: 'muted', text: content.sql.slice(0, 4000)}),
        element('div', {className: 'buttons', children: [button('Run again', again, 'secondary')]}),
      );
      return;
    default:
      assertNever(content);
  }
}

function showRunning(profile: string, text: string): void {
  // The button stays where it is while the text beside it changes: it must be possible to hit it.
  const line = message.querySelector('.running');
  if (line && message.dataset['state'] === profile) {
    line.textContent = `${text} on ${profile}`;
    return;
  }
  message.dataset['state'] = profile;
  const cancel = button('Cancel', () => void host.ask('query/cancel', undefined), 'secondary');
  message.replaceChildren(
    element('p', {children: [progressRing()]}),
    element('p', {className: 'running', text: `${text} on ${profile}`}),
    element('div', {className: 'buttons', children: [cancel]}),
  );
}

function showResult(result: QueryResultView): void {
  title.textContent = result.profile;
  title.title = result.sql;
  summary.textContent = result.summary;
  if (result.rowCount === 0) {
    message.replaceChildren(
      element('p', {text: `No row of ${result.profile} fits the query.`}),
      element('pre', {className: 'muted', text: result.sql.slice(0, 4000)}),
    );
    return;
  }
  if (shown?.key === result.key) return;
  shown = result;
  cache = new RowCache(
    (from, to) => host.ask('query/rows', {key: result.key, from, to}),
    () => {
      grid.refresh();
    },
    // Another result has taken its place: this one is not shown any more.
    () => undefined,
  );
  grid.show(result, cache);
}

host.serve({
  'query/content': content => {
    show(content);
    return undefined;
  },
});
void host.ask('view/ready', undefined);
