import {shortenMiddle} from '../../../src/core/format/shorten-middle.js';
import type {SortKey} from '../../../src/core/tabs/sort-rows.js';
import {element} from '../dom.js';
import {resizer} from './column-resizer.js';
import type {GridCell, GridColumn} from './grid-table.js';

/**
 * Approximate width of a letter. Headers are bold, so the width of a row's letters would be too small for its columns.
 */
const letterPx = 7.5;
/** Padding on both sides of a cell's text. */
const paddingPx = 16;
/** Longer texts may be cut. */
const mostLetters = 32;
const leastNamePx = 280;

/** Returns the least width of a column: a truncated number would look like another number. */
export function leastPx({title, isText, isName, canShrink}: GridColumn, longest: number): number {
  if (isName) return leastNamePx;
  const letters = canShrink ? 0 : isText ? Math.min(mostLetters, longest + 3) : longest + 3;
  return letterPx * Math.max(8, letters, title.length + 6);
}

/** Returns the columns' widths in CSS: names take the room that numbers and chosen widths leave. */
export function tracksOf(
  columns: readonly GridColumn[],
  chosen: readonly (number | null)[],
  leastWidths: readonly number[],
): string {
  return columns
    .map(({isText}, shown) => {
      const px = `${String(leastWidths[shown])}px`;
      return isText && chosen[shown] === null ? `minmax(${px}, 1fr)` : px;
    })
    .join(' ');
}

function cellClass({isText}: GridColumn): string {
  return isText ? 'cell text' : 'cell';
}

function cellAttributes(shown: number): Record<string, string> {
  return {role: 'gridcell', 'aria-colindex': String(shown + 1), 'data-shown': String(shown)};
}

/** Whether there is a group title above a column. */
export const isGrouped = ({group = ''}: GridColumn): boolean => group !== '';

/**
 * Returns the headers of the shown columns; a group title above several columns is written once. @param shown their
 * numbers
 */
export function headerCells(
  columns: readonly GridColumn[],
  shown: readonly number[],
  sort: readonly SortKey[],
): HTMLElement[] {
  const hasGroups = columns.some(isGrouped);
  return columns.map((column, place) => {
    const isSame = place > 0 && column.group === columns[place - 1].group;
    const group = hasGroups ? (isSame ? '' : (column.group ?? '')) : null;
    return headerCell(column, shown[place], place, sort, group);
  });
}

/**
 * Shows a column's direction and position among the sort keys, since the header's ARIA state has only one direction.
 */
function sortMark(place: number, sort: readonly SortKey[]): HTMLElement {
  if (place < 0) return element('span', {className: 'head-sort'});
  const arrow = sort[place].isDescending ? ' ↓' : ' ↑';
  if (sort.length > 1) return element('span', {className: 'head-sort', text: `${arrow}${String(place + 1)}`});
  return element('span', {className: 'head-sort', text: arrow, attributes: {'aria-hidden': 'true'}});
}

/** Returns a header. @param group the title above it; null if no column of the table has one */
function headerCell(
  column: GridColumn,
  at: number,
  shown: number,
  sort: readonly SortKey[],
  group: string | null,
): HTMLElement {
  const place = sort.findIndex(key => key.column === at);
  const direction = place < 0 ? 'none' : sort[place].isDescending ? 'descending' : 'ascending';
  return element('div', {
    className: cellClass(column),
    children: [
      ...(group === null ? [] : [element('span', {className: 'head-group', text: group})]),
      element('span', {className: 'head-title', text: column.title, attributes: {draggable: 'true'}}),
      sortMark(place, sort),
      element('span', {className: 'head-menu codicon codicon-chevron-down', attributes: {'aria-hidden': 'true'}}),
      resizer(),
    ],
    attributes: {
      ...cellAttributes(shown),
      role: 'columnheader',
      'data-column': String(at),
      'aria-sort': direction,
      'aria-haspopup': 'menu',
      ...(column.group !== undefined && column.group !== '' && {'aria-label': `${column.group} ${column.title}`}),
      title: column.about === undefined || column.about === '' ? column.title : column.about,
    },
  });
}

/** Returns a row without figures, to be cloned: creating each cell takes several times as long. */
export function blankRow(columns: readonly GridColumn[]): HTMLElement {
  return element('div', {
    className: 'row',
    attributes: {role: 'row'},
    children: columns.map((column, shown) =>
      element('div', {className: cellClass(column), attributes: cellAttributes(shown), children: [element('span')]}),
    ),
  });
}

/** Fills a blank cell. @param widthPx of a text column, 0 if unknown */
export function fillCell(cell: HTMLElement, {text, title, label, bar, className}: GridCell, widthPx: number): void {
  if (bar !== undefined && bar > 0) {
    const mark = element('div', {className: 'fill', attributes: {'aria-hidden': 'true'}});
    mark.style.width = `${String(100 * bar)}%`;
    cell.prepend(mark);
  }
  if (className !== undefined && className !== '') cell.classList.add(...className.split(' '));
  if (label !== undefined) cell.setAttribute('aria-label', label);
  const whole = title ?? text;
  if (whole !== '') cell.title = whole;
  const letters = Math.floor((widthPx - paddingPx) / letterPx);
  if (cell.lastElementChild) cell.lastElementChild.textContent = widthPx > 0 ? shortenMiddle(text, letters) : text;
}

/** Returns a cell of the last line. */
export function totalCell(column: GridColumn, {text, title}: GridCell, shown: number): HTMLElement {
  const attributes = {...cellAttributes(shown), ...(title !== undefined && title !== '' && {title})};
  return element('div', {className: cellClass(column), text, attributes});
}
