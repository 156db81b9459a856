import {shortenMiddle} from '../../src/core/format/shorten-middle.js';
import {shortKernelName} from '../../src/core/names/short-kernel-name.js';
import type {SortKey} from '../../src/core/tabs/sort-rows.js';
import {isCutName} from '../../src/core/trace/text-table.js';
import type {PageColumn, PageRow, TablePage} from '../../src/core/tabs/table-page.js';
import {onNextFrame} from '../shared/canvas.js';
import {element} from '../shared/dom.js';
import type {RowCache} from '../shared/row-cache.js';
import {isOnResizer, listenToResizers, resizer} from './column-resizer.js';
import type {ColumnWidths} from './column-widths.js';
import {moveTo, rowWindow, type GridPlace} from './virtual-rows.js';

/** What the grid tells of. */
export interface GridHandlers {
  /** A click or Enter on a header. */
  sort(column: number, isAdded: boolean): void;
  /** Another row is the active one, null for none. */
  activate(row: PageRow | null): void;
  /** Enter or a double click on a row. */
  open(row: PageRow): void;
  /** A column was made wider or narrower. */
  resized(): void;
}

const rowPx = 22;
/** So much wider or narrower Alt and an arrow make the active column. */
const keyResizePx = 16;
/** Blank on both sides of a cell's text. */
const paddingPx = 16;

/** A table of any length: only rows in sight are in the page. The focus stays on the grid, which names its active cell. */
export class Grid {
  readonly element = element('div', {className: 'grid', attributes: {role: 'grid', tabindex: '0'}});
  readonly #head = element('div', {className: 'row head', attributes: {role: 'row', 'aria-rowindex': '1'}});
  readonly #body = element('div', {className: 'body', attributes: {role: 'rowgroup'}});
  readonly #foot = element('div', {className: 'row foot', attributes: {role: 'row'}});
  /** The rows in the page, by number. */
  readonly #rows = new Map<number, {readonly line: HTMLElement; readonly hasData: boolean}>();
  /** A row without figures, to be copied: making each cell anew takes several times as long. */
  #blank: HTMLElement = element('div');
  /** Widths of the columns with texts, which are shortened to them; 0 of the others. */
  #textWidthsPx: readonly number[] = [];
  #page: TablePage | null = null;
  #cache: RowCache<PageRow> | null = null;
  #kernelColumn = -1;
  /** Columns in the order in which they are shown: what a row is about comes first. */
  #order: readonly number[] = [];
  #place: GridPlace = {row: 0, column: 0};
  /** The active row that was told last; undefined before any was. */
  #told: PageRow | null | undefined;
  readonly #draw = onNextFrame(() => {
    this.#drawRows();
  });

  constructor(
    private readonly handlers: GridHandlers,
    private readonly widths: ColumnWidths,
  ) {
    this.element.append(this.#head, this.#body, this.#foot);
    listenToResizers(this.#head, (shown, px) => {
      this.#resize(shown, px);
    });
    this.element.addEventListener('scroll', this.#draw);
    new ResizeObserver(this.#draw).observe(this.element);
    this.element.addEventListener('keydown', event => {
      this.#press(event);
    });
    this.element.addEventListener('click', event => {
      this.#click(event);
    });
    this.element.addEventListener('dblclick', event => {
      const row = this.#rowOf(event);
      if (row) this.handlers.open(row);
    });
  }

  /**
   * Shows a table from its first row on.
   *
   * @param kernelColumn the one with names of kernels, which are shown short; -1 for none
   */
  show(page: TablePage, cache: RowCache<PageRow>, sort: readonly SortKey[], kernelColumn: number): void {
    this.#page = page;
    this.#kernelColumn = kernelColumn;
    this.#cache = cache;
    const columns = page.columns.map((_, at) => at);
    this.#order = [...columns.filter(at => page.columns[at].isText), ...columns.filter(at => !page.columns[at].isText)];
    this.#place = {row: 0, column: Math.min(this.#place.column, columns.length - 1)};
    this.element.setAttribute('aria-label', page.title);
    this.element.setAttribute('aria-rowcount', String(page.keptCount + 2));
    this.element.setAttribute('aria-colcount', String(columns.length));
    const ordered = this.#order.map(at => page.columns[at]);
    this.#layOut(page);
    this.#body.style.height = `${String(page.keptCount * rowPx)}px`;
    this.#blank = blankRow(ordered);
    this.#head.replaceChildren(...this.#order.map((at, shown) => headerCell(page.columns[at], at, shown, sort)));
    this.#foot.setAttribute('aria-rowindex', String(page.keptCount + 2));
    this.#foot.replaceChildren(...this.#order.map((at, shown) => this.#totalCell(page, at, shown)));
    this.element.scrollTop = 0;
    this.#told = undefined;
    this.#forgetRows();
    this.#drawRows();
  }

  #layOut(page: TablePage): void {
    const columns = this.#order.map(at => page.columns[at]);
    const chosen = columns.map(({header}) => this.widths.of(page.title, header));
    const leastWidths = this.#order.map(
      (at, shown) => chosen[shown] ?? leastPx(page.columns[at], longestText(page, at)),
    );
    this.element.style.setProperty('--columns', tracksOf(columns, chosen, leastWidths));
    this.element.style.setProperty('--least', `${String(leastWidths.reduce((sum, px) => sum + px, 0))}px`);
  }

  /** Gives a column that is shown another width; null gives it its own again. */
  #resize(shown: number, px: number | null): void {
    const page = this.#page;
    if (!page) return;
    this.widths.choose(page.title, page.columns[this.#order[shown]].header, px);
    this.#layOut(page);
    this.#draw();
    this.handlers.resized();
  }

  /** Draws what has come meanwhile. */
  refresh(): void {
    this.#draw();
  }

  get active(): PageRow | null {
    return this.#place.row < 0 ? null : (this.#cache?.row(this.#place.row) ?? null);
  }

  #totalCell(page: TablePage, at: number, shown: number): HTMLElement {
    const text = shown === 0 ? 'Total' : page.totals[at];
    const title = page.exactTotals[at];
    const attributes = {...cellAttributes(shown), ...(title !== '' && {title})};
    return element('div', {className: cellClass(page.columns[at]), text, attributes});
  }

  /** Makes the rows that have come into sight, or whose figures have come, and takes away those that have left it. */
  #drawRows(): void {
    const {element: grid} = this;
    const page = this.#page;
    if (!page) return;
    const {first, end} = rowWindow(grid.scrollTop, grid.clientHeight, rowPx, page.keptCount);
    this.#takeAway(page, first, end);
    for (let row = first; row < end; row++) {
      if (this.#rows.has(row)) continue;
      const data = this.#cache?.row(row) ?? null;
      const line = this.#row(page, row, data);
      this.#rows.set(row, {line, hasData: data !== null});
      this.#body.append(line);
    }
    this.#mark();
  }

  /** Takes away the rows outside, those that were made before their figures came, and all where names have other room. */
  #takeAway(page: TablePage, first: number, end: number): void {
    const widthsPx = this.#order.map((at, shown) =>
      page.columns[at].isText ? this.#head.children[shown].clientWidth : 0,
    );
    if (String(widthsPx) !== String(this.#textWidthsPx)) this.#forgetRows();
    this.#textWidthsPx = widthsPx;
    for (const [row, {line, hasData}] of this.#rows) {
      const isInSight = row >= first && row < end;
      if (isInSight && (hasData || !this.#cache?.row(row))) continue;
      line.remove();
      this.#rows.delete(row);
    }
  }

  #forgetRows(): void {
    this.#rows.clear();
    this.#body.replaceChildren();
  }

  #row(page: TablePage, row: number, data: PageRow | null): HTMLElement {
    const line = this.#blank.cloneNode(true) as HTMLElement;
    line.setAttribute('aria-rowindex', String(row + 2));
    line.dataset['row'] = String(row);
    line.style.top = `${String(row * rowPx)}px`;
    if (!data) return line;
    let cell = line.firstElementChild;
    for (let shown = 0; cell instanceof HTMLElement; cell = cell.nextElementSibling, shown++) {
      const at = this.#order[shown];
      const text = data.texts[at];
      if (!page.columns[at].isText) addNumber(cell, text, data.exact[at], data.bars[at]);
      else {
        const letters = Math.floor((this.#textWidthsPx[shown] - paddingPx) / letterPx);
        const name = at === this.#kernelColumn ? shortKernelName(text) : text;
        addName(cell, shortenMiddle(name, letters), text, data.isCut && isCutName(text));
      }
    }
    return line;
  }

  /** Marks the active cell, and tells which row it is in. */
  #mark(): void {
    const {row, column} = this.#place;
    for (const old of this.element.querySelectorAll('.active')) old.classList.remove('active');
    const line = row < 0 ? this.#head : this.#rows.get(row)?.line;
    const cell = line?.children[column];
    const id = row < 0 ? `head-${String(column)}` : `cell-${String(row)}-${String(column)}`;
    line?.classList.add('active');
    cell?.classList.add('active');
    if (cell) cell.id = id;
    if (cell) this.element.setAttribute('aria-activedescendant', id);
    else this.element.removeAttribute('aria-activedescendant');
    const {active} = this;
    // Scrolling marks again and again: what stands for the row outside of the grid is made once.
    if (active !== this.#told) this.handlers.activate(active);
    this.#told = active;
  }

  #press(event: KeyboardEvent): void {
    const page = this.#page;
    if (!page) return;
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      const {active} = this;
      if (this.#place.row < 0) this.handlers.sort(this.#order[this.#place.column], event.shiftKey);
      else if (active) this.handlers.open(active);
      return;
    }
    if (event.altKey) {
      const wider = {ArrowLeft: -keyResizePx, ArrowRight: keyResizePx}[event.key];
      if (wider === undefined) return;
      event.preventDefault();
      const header = this.#head.children[this.#place.column];
      this.#resize(this.#place.column, header.getBoundingClientRect().width + wider);
      return;
    }
    const rowsInSight = Math.max(1, Math.floor(this.element.clientHeight / rowPx) - 3);
    const size = {rows: page.keptCount, columns: this.#order.length, rowsInSight};
    const place = moveTo(this.#place, event, size);
    if (!place) return;
    event.preventDefault();
    this.#place = place;
    this.#scrollTo(place);
    this.#drawRows();
  }

  #scrollTo({row, column}: GridPlace): void {
    const grid = this.element;
    const topPx = Math.max(0, row) * rowPx;
    // Header and totals cover a row each.
    const inSightPx = grid.clientHeight - 3 * rowPx;
    if (topPx < grid.scrollTop) grid.scrollTop = topPx;
    else if (topPx > grid.scrollTop + inSightPx) grid.scrollTop = topPx - inSightPx;
    const header = document.getElementById(`head-${String(column)}`);
    header?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  #click(event: MouseEvent): void {
    if (isOnResizer(event)) return;
    const target = event.target instanceof Element ? event.target : null;
    const header = target?.closest<HTMLElement>('.head .cell');
    if (header) {
      this.#place = {row: -1, column: Number(header.dataset['shown'])};
      this.handlers.sort(Number(header.dataset['column']), event.shiftKey);
      return;
    }
    const cell = target?.closest<HTMLElement>('.body .cell');
    const row = cell?.parentElement?.dataset['row'];
    if (!cell || row === undefined) return;
    this.#place = {row: Number(row), column: Number(cell.dataset['shown'])};
    this.#mark();
  }

  #rowOf(event: MouseEvent): PageRow | null {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.body .row') : null;
    return line ? (this.#cache?.row(Number(line.dataset['row'])) ?? null) : null;
  }
}

/** A letter is about this wide: headers are bold, so that the letters of a row are no measure for its columns. */
const letterPx = 7.5;

/** Letters of the longest text that a column is known to have. */
function longestText({rows, totals}: TablePage, at: number): number {
  return rows.reduce((longest, {texts}) => Math.max(longest, texts[at].length), totals[at].length);
}

/** Numbers of more letters than this may be cut. */
const longNumber = 9;

/** The least width of a column: a number that is cut would be another number. */
function leastPx({title, isText, isName}: PageColumn, longest: number): number {
  if (isName) return 280;
  return letterPx * Math.max(isText ? 16 : Math.max(12, longest + 3), title.length + 6);
}

/** The columns as a grid lays them out: names take the room that numbers and chosen widths leave. */
function tracksOf(
  columns: readonly PageColumn[],
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

function cellClass({isText}: PageColumn): string {
  return isText ? 'cell text' : 'cell';
}

function cellAttributes(shown: number): Record<string, string> {
  return {role: 'gridcell', 'aria-colindex': String(shown + 1), 'data-shown': String(shown)};
}

function headerCell(column: PageColumn, at: number, shown: number, sort: readonly SortKey[]): HTMLElement {
  const place = sort.findIndex(key => key.column === at);
  const arrow = place < 0 ? '' : sort[place].isDescending ? ' ↓' : ' ↑';
  const number = place >= 0 && sort.length > 1 ? String(place + 1) : '';
  const direction = place < 0 ? 'none' : sort[place].isDescending ? 'descending' : 'ascending';
  return element('div', {
    className: cellClass(column),
    children: [
      element('span', {className: 'head-title', text: column.title}),
      element('span', {className: 'head-sort', text: `${arrow}${number}`}),
      resizer(),
    ],
    attributes: {
      ...cellAttributes(shown),
      role: 'columnheader',
      id: `head-${String(shown)}`,
      'data-column': String(at),
      'aria-sort': direction,
      title: `${column.header}: ${column.definition}`,
    },
  });
}

function blankRow(columns: readonly PageColumn[]): HTMLElement {
  return element('div', {
    className: 'row',
    attributes: {role: 'row'},
    children: columns.map((column, shown) =>
      element('div', {
        className: cellClass(column),
        attributes: cellAttributes(shown),
        children: [element('span')],
      }),
    ),
  });
}

function addNumber(cell: HTMLElement, text: string, exact: string, bar: number): void {
  if (bar > 0) {
    const mark = element('div', {className: 'fill', attributes: {'aria-hidden': 'true'}});
    mark.style.width = `${String(100 * bar)}%`;
    cell.prepend(mark);
  }
  // Rows further down may have longer numbers than those that the width is from.
  if (exact !== '') cell.title = exact;
  else if (text.length > longNumber) cell.title = text;
  writeText(cell, text);
}

function addName(cell: HTMLElement, shown: string, text: string, isCut: boolean): void {
  writeText(cell, shown);
  if (isCut) cell.classList.add('cut');
  if (text !== '') cell.title = isCut ? `${text}\nThe name was cut where the table was printed.` : text;
}

/** A blank cell has one element, which its text goes into. */
function writeText(cell: HTMLElement, text: string): void {
  if (cell.lastElementChild) cell.lastElementChild.textContent = text;
}
