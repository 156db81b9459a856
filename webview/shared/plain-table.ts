import {csvCell, markdownCell} from '../../src/core/format/cells.js';
import {element} from './dom.js';

/** A column of a table that is small enough to be in the page as a whole. */
export interface PlainColumn<Row> {
  readonly title: string;
  /** What it means; shown beside the mouse. */
  readonly about?: string;
  readonly text: (row: Row) => string;
  readonly isText?: boolean;
  /** The whole of a text that is shortened, for the mouse. */
  readonly whole?: (row: Row) => string;
}

/**
 * A table; where rows can be opened, by mouse and keyboard, it is a grid of which one row takes the focus: thousands are
 * one stop of Tab.
 */
export function plainTable<Row>(
  label: string,
  columns: readonly PlainColumn<Row>[],
  rows: readonly Row[],
  onOpen?: (row: Row) => void,
): HTMLElement {
  const head = element('tr', {
    children: columns.map(({title, about, isText}) =>
      element('th', {
        text: title,
        ...(isText && {className: 'text'}),
        attributes: {scope: 'col', ...(about !== undefined && {title: about})},
      }),
    ),
  });
  const body = rows.map(row => {
    const line = element('tr', {
      children: columns.map(({text, isText, whole = text}) => cell(text(row), isText ?? false, whole(row))),
      ...(onOpen && {attributes: {tabindex: '-1', 'aria-keyshortcuts': 'Enter'}}),
    });
    if (onOpen) listen(line, () => onOpen(row));
    return line;
  });
  if (onOpen && body.length > 0) body[0].tabIndex = 0;
  const rowsElement = element('tbody', {children: body});
  rowsElement.addEventListener('focusin', ({target}) => {
    if (!onOpen) return;
    for (const line of body) if (line.tabIndex === 0) line.tabIndex = -1;
    if (target instanceof HTMLElement) target.tabIndex = 0;
  });
  return element('table', {
    attributes: {'aria-label': label, ...(onOpen && {role: 'grid'})},
    children: [element('thead', {children: [head]}), rowsElement],
  });
}

/** Texts may be cut: the whole one stands beside the mouse. */
function cell(text: string, isText: boolean, whole: string): HTMLElement {
  return element('td', {text, ...(isText && {className: 'text', attributes: {title: whole}})});
}

function listen(line: HTMLTableRowElement, open: () => void): void {
  line.addEventListener('click', open);
  line.addEventListener('keydown', event => {
    const next = {
      ArrowDown: line.nextElementSibling,
      ArrowUp: line.previousElementSibling,
      Home: line.parentElement?.firstElementChild,
      End: line.parentElement?.lastElementChild,
    }[event.key];
    if (next instanceof HTMLElement) next.focus();
    else if (event.key === 'Enter') open();
    else return;
    event.preventDefault();
  });
}

/** The table as text for other programs. */
export function tableText<Row>(
  columns: readonly PlainColumn<Row>[],
  rows: readonly Row[],
  format: 'csv' | 'markdown',
): string {
  const cells = [columns.map(({title}) => title), ...rows.map(row => columns.map(({text}) => text(row)))];
  if (format === 'csv') return cells.map(line => `${line.map(csvCell).join(',')}\n`).join('');
  const rule = columns.map(({isText}) => (isText ? '---' : '---:'));
  const [head = [], ...body] = cells.map(line => line.map(markdownCell));
  return [head, rule, ...body].map(line => `| ${line.join(' | ')} |\n`).join('');
}
