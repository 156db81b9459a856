import {shortenMiddle} from '../../../src/core/format/shorten-middle.js';
import type {SortKey} from '../../../src/core/tabs/sort-rows.js';
import {element} from '../dom.js';
import {resizer} from './column-resizer.js';
import type {GridCell, GridColumn} from './grid-table.js';

/** A letter is about this wide: headers are bold, so that the letters of a row are no measure for its columns. */
const letterPx = 7.5;
/** Blank on both sides of a cell's text. */
const paddingPx = 16;
/** Texts of more letters may be cut. */
const mostLetters = 32;
const leastNamePx = 280;

/** The least width of a column: a number that is cut would be another number. */
export function leastPx({title, isText, isName, canShrink}: GridColumn, longest: number): number {
  if (isName) return leastNamePx;
  const letters = canShrink ? 0 : isText ? Math.min(mostLetters, longest + 3) : longest + 3;
  return letterPx * Math.max(8, letters, title.length + 6);
}

/** The columns as CSS lays them out: names take the room that numbers and chosen widths leave. */
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

/** Whether something stands above a column's title. */
export const isGrouped = ({group = ''}: GridColumn): boolean => group !== '';

/** The headers of the columns that are shown; what stands above several is written once. @param shown their numbers */
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

/** How rows are sorted by a column, at its place among the sorted ones: the header's state tells of one arrow alone. */
function sortMark(place: number, sort: readonly SortKey[]): HTMLElement {
  if (place < 0) return element('span', {className: 'head-sort'});
  const arrow = sort[place].isDescending ? ' ↓' : ' ↑';
  if (sort.length > 1) return element('span', {className: 'head-sort', text: `${arrow}${String(place + 1)}`});
  return element('span', {className: 'head-sort', text: arrow, attributes: {'aria-hidden': 'true'}});
}

/** A header. @param group what stands above it; null where no column of the table has anything */
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

/** A row without figures, to be copied: making each cell anew takes several times as long. */
export function blankRow(columns: readonly GridColumn[]): HTMLElement {
  return element('div', {
    className: 'row',
    attributes: {role: 'row'},
    children: columns.map((column, shown) =>
      element('div', {className: cellClass(column), attributes: cellAttributes(shown), children: [element('span')]}),
    ),
  });
}

/** Writes into a blank cell. @param widthPx of a column of texts, 0 where it is not known */
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

/** A cell of the last line. */
export function totalCell(column: GridColumn, {text, title}: GridCell, shown: number): HTMLElement {
  const attributes = {...cellAttributes(shown), ...(title !== undefined && title !== '' && {title})};
  return element('div', {className: cellClass(column), text, attributes});
}
