import {onNextFrame} from '../canvas.js';
import {element} from '../dom.js';
import {Menu} from '../menu.js';
import type {ColumnLayouts} from './column-layouts.js';
import {listenToDrags, shownOf} from './column-drags.js';
import {columnMenu, moveColumn, type ColumnMenuContext} from './column-menu.js';
import {shownColumns} from './column-order.js';
import {isOnResizer, listenToResizers} from './column-resizer.js';
import {blankRow, fillCell, headerCells, isGrouped, leastPx, totalCell, tracksOf} from './grid-cells.js';
import type {GridHandlers, GridTable} from './grid-table.js';
import {nextSort} from './sorting.js';
import {moveTo, rowWindow, type GridPlace} from './virtual-rows.js';
import {t} from '../translate.js';

const rowPx = 22;
/** How much Alt and an arrow change the width of the active column. */
const keyResizePx = 16;
/** Makes the ids of cells unique among the grids of a page. */
let grids = 0;

/**
 * A table of any length: the page contains only the visible rows. A click on a header sorts by its column; dragging its
 * edge, or Alt and an arrow, resizes it; dragging its title, or Alt, Shift and an arrow, moves it. The header's menu
 * has the other actions (right click, Shift+F10). The focus stays on the grid, which names its active cell.
 */
export class Grid<Row> {
  /** The grid and its menu. */
  readonly element = element('div', {className: 'grid-frame'});
  readonly #grid = element('div', {className: 'grid', attributes: {role: 'grid', tabindex: '0'}});
  readonly #head = element('div', {className: 'row head', attributes: {role: 'row', 'aria-rowindex': '1'}});
  readonly #body = element('div', {className: 'body', attributes: {role: 'rowgroup'}});
  readonly #foot = element('div', {className: 'row foot', attributes: {role: 'row'}});
  readonly #menu: Menu;
  readonly #id = `grid-${String(++grids)}`;
  /** The rows in the page, by number. */
  readonly #rows = new Map<number, {readonly line: HTMLElement; readonly hasData: boolean}>();
  #blank: HTMLElement = element('div');
  /** Widths of the text columns, to which texts are shortened; 0 for other columns. */
  #textWidthsPx: readonly number[] = [];
  #table: GridTable<Row> | null = null;
  /** The shown columns, from left to right. */
  #shown: readonly number[] = [];
  #place: GridPlace = {row: 0, column: 0, anchor: 0};
  /** The active row that was reported last; undefined before the first report. */
  #told: Row | null | undefined;
  readonly #draw = onNextFrame(() => {
    this.#drawRows();
  });

  constructor(
    private readonly handlers: GridHandlers<Row>,
    private readonly layouts: ColumnLayouts,
  ) {
    this.#grid.append(this.#head, this.#body, this.#foot);
    this.element.append(this.#grid);
    this.#menu = new Menu(this.element, () => {
      this.focus();
    });
    listenToResizers(this.#head, (shown, px) => {
      this.#resize(shown, px);
    });
    listenToDrags(this.#head, (from, to) => {
      const context = this.#menuContext();
      if (context) moveColumn(this.#shown[from], this.#shown[to], context);
    });
    this.#grid.addEventListener('scroll', this.#draw);
    new ResizeObserver(this.#draw).observe(this.#grid);
    this.#grid.addEventListener('keydown', event => {
      if (this.#press(event)) event.preventDefault();
    });
    this.#grid.addEventListener('click', event => {
      this.#click(event);
    });
    this.#grid.addEventListener('dblclick', event => {
      if (!handlers.opensOnClick && !isOnResizer(event)) this.#open(event);
    });
    this.#head.addEventListener('contextmenu', event => {
      event.preventDefault();
      this.#openMenu(shownOf(event));
    });
  }

  focus(): void {
    this.#grid.focus({preventScroll: true});
  }

  /** Shows a table from its first row on. @param staysInPlace the active cell stays: the same table with other rows */
  show(table: GridTable<Row>, staysInPlace = false): void {
    const isSame = this.#table?.key === table.key;
    this.#table = table;
    // A user who sorts with the keyboard stays in the header.
    const stays = isSame && (staysInPlace || this.#place.row < 0);
    const row = stays ? Math.min(this.#place.row, Math.max(0, table.rowCount - 1)) : 0;
    this.#place = {row, column: this.#place.column, anchor: row};
    this.#grid.setAttribute('aria-label', table.label);
    this.#grid.setAttribute('aria-rowcount', String(table.rowCount + (table.totals ? 2 : 1)));
    this.#grid.setAttribute('aria-multiselectable', String(this.handlers.copyRows !== undefined));
    this.#body.style.height = `${String(table.rowCount * rowPx)}px`;
    if (!isSame || !staysInPlace) this.#grid.scrollTop = 0;
    this.#told = undefined;
    this.#showColumns();
  }

  /** Draws rows that have arrived meanwhile. */
  refresh(): void {
    this.#draw();
  }

  /** Fits the columns to the rows that have arrived. */
  measure(): void {
    if (this.#table) this.#layOut(this.#table);
    this.#draw();
  }

  /** Draws all cells again after a change of style. */
  redraw(): void {
    this.#forgetRows();
    this.#drawRows();
  }

  get active(): Row | null {
    return this.#place.row < 0 ? null : (this.#table?.row(this.#place.row) ?? null);
  }

  /** The shown columns, from left to right. */
  get columns(): readonly number[] {
    return this.#shown;
  }

  #showColumns(): void {
    const table = this.#table;
    if (!table) return;
    this.#shown = shownColumns(table.columns, this.layouts.of(table.key), table.sort);
    this.#place = {...this.#place, column: Math.min(this.#place.column, this.#shown.length - 1)};
    this.#grid.setAttribute('aria-colcount', String(this.#shown.length));
    this.#layOut(table);
    const columns = this.#shown.map(at => table.columns[at]);
    this.#blank = blankRow(columns);
    this.#head.classList.toggle('grouped', columns.some(isGrouped));
    this.#head.replaceChildren(...headerCells(columns, this.#shown, table.sort));
    this.#showTotals(table);
    this.redraw();
  }

  #showTotals({totals, columns, rowCount}: GridTable<Row>): void {
    this.#foot.hidden = !totals;
    this.#foot.setAttribute('aria-rowindex', String(rowCount + 2));
    const cells = this.#shown.map((at, shown) => {
      const total = totals?.[at] ?? {text: ''};
      return totalCell(columns[at], shown === 0 && total.text === '' ? {text: t('Total')} : total, shown);
    });
    this.#foot.replaceChildren(...(totals ? cells : []));
  }

  #layOut(table: GridTable<Row>): void {
    const {widths} = this.layouts.of(table.key);
    const columns = this.#shown.map(at => table.columns[at]);
    const chosen = columns.map(({id}) => (Object.hasOwn(widths, id) ? widths[id] : null));
    const leastWidths = columns.map(
      (column, shown) => chosen[shown] ?? leastPx(column, table.longest(this.#shown[shown])),
    );
    this.#grid.style.setProperty('--columns', tracksOf(columns, chosen, leastWidths));
    this.#grid.style.setProperty('--least', `${String(leastWidths.reduce((sum, px) => sum + px, 0))}px`);
  }

  /** Sets the width of a shown column; null restores the default. */
  #resize(shown: number, px: number | null): void {
    const table = this.#table;
    if (!table) return;
    this.layouts.resize(table.key, table.columns[this.#shown[shown]].id, px);
    this.#layOut(table);
    this.#draw();
  }

  /** Adds rows that have come into view or whose figures have arrived, and removes rows that have left the view. */
  #drawRows(): void {
    const table = this.#table;
    if (!table) return;
    const {first, end} = rowWindow(this.#grid.scrollTop, this.#grid.clientHeight, rowPx, table.rowCount);
    this.#takeAway(table, first, end);
    for (let row = first; row < end; row++) {
      if (this.#rows.has(row)) continue;
      const data = table.row(row);
      const line = this.#row(table, row, data);
      this.#rows.set(row, {line, hasData: data !== null});
      this.#body.append(line);
    }
    this.#mark();
  }

  /** Removes rows out of view or made before their figures arrived, and all rows if the width of names has changed. */
  #takeAway(table: GridTable<Row>, first: number, end: number): void {
    const widthsPx = this.#shown.map((at, shown) =>
      table.columns[at].isText ? this.#head.children[shown].clientWidth : 0,
    );
    if (String(widthsPx) !== String(this.#textWidthsPx)) this.#forgetRows();
    this.#textWidthsPx = widthsPx;
    for (const [row, {line, hasData}] of this.#rows) {
      const isInSight = row >= first && row < end;
      if (isInSight && (hasData || table.row(row) === null)) continue;
      line.remove();
      this.#rows.delete(row);
    }
  }

  #forgetRows(): void {
    this.#rows.clear();
    this.#body.replaceChildren();
  }

  #row(table: GridTable<Row>, row: number, data: Row | null): HTMLElement {
    const line = this.#blank.cloneNode(true) as HTMLElement;
    line.setAttribute('aria-rowindex', String(row + 2));
    line.dataset['row'] = String(row);
    line.style.top = `${String(row * rowPx)}px`;
    if (data === null) return line;
    let cell = line.firstElementChild;
    for (let shown = 0; cell instanceof HTMLElement; cell = cell.nextElementSibling, shown++)
      fillCell(cell, table.cell(data, this.#shown[shown]), this.#textWidthsPx[shown] ?? 0);
    return line;
  }

  /** Marks the active cell and the selected rows, and reports the active row. */
  #mark(): void {
    const {row, column} = this.#place;
    for (const old of this.#grid.querySelectorAll('.active')) {
      old.classList.remove('active');
      old.removeAttribute('id');
    }
    this.#markSelected();
    const line = row < 0 ? this.#head : this.#rows.get(row)?.line;
    const cell = line?.children.item(column);
    line?.classList.add('active');
    if (cell) {
      cell.id = `${this.#id}-${row < 0 ? 'head' : `cell-${String(row)}`}-${String(column)}`;
      cell.classList.add('active');
      this.#grid.setAttribute('aria-activedescendant', cell.id);
    } else this.#grid.removeAttribute('aria-activedescendant');
    const {active} = this;
    // Every scroll marks the rows again, but what others show of the active row is updated only once.
    if (active !== this.#told) this.handlers.activate?.(active);
    this.#told = active;
  }

  #markSelected(): void {
    const {row, anchor} = this.#place;
    const [first, last] = row < 0 ? [0, -1] : [Math.min(anchor, row), Math.max(anchor, row)];
    for (const [at, {line}] of this.#rows) {
      const isSelected = at >= first && at <= last;
      line.classList.toggle('selected', isSelected && last > first);
      line.setAttribute('aria-selected', String(isSelected));
    }
  }

  /** Handles a key. Returns whether it had an effect. */
  #press(event: KeyboardEvent): boolean {
    if (!this.#table) return false;
    if (event.ctrlKey || event.metaKey) return this.#command(event.key) || this.#move(event);
    if (event.key === 'ContextMenu' || (event.key === 'F10' && event.shiftKey)) this.#openMenu(this.#place.column);
    else if (event.key === 'Enter' || event.key === ' ') this.#enter(event.shiftKey);
    else if (event.altKey) return this.#arrange(event);
    else if (event.key === 'Escape') return this.#unselect();
    else return this.#move(event);
    return true;
  }

  /** Handles a key pressed with Control or Command. */
  #command(key: string): boolean {
    const {copyRows, filter} = this.handlers;
    if (key === 'c') this.#copy();
    else if (key === 'f' && filter) filter();
    else if (key === 'a' && copyRows)
      this.#goTo({...this.#place, anchor: 0, row: (this.#table?.rowCount ?? 0) - 1}, false);
    else return false;
    return true;
  }

  /** Clears the selection. Returns whether several rows were selected. */
  #unselect(): boolean {
    const {row, anchor} = this.#place;
    if (row === anchor) return false;
    this.#goTo({...this.#place, anchor: row}, false);
    return true;
  }

  #move(event: KeyboardEvent): boolean {
    const rowsInSight = Math.max(1, Math.floor(this.#grid.clientHeight / rowPx) - 3);
    const size = {rows: this.#table?.rowCount ?? 0, columns: this.#shown.length, rowsInSight};
    const moved = moveTo(this.#place, event, size);
    if (moved) this.#goTo(this.handlers.copyRows ? moved : {...moved, anchor: moved.row}, true);
    return moved !== null;
  }

  #goTo(place: GridPlace, scrolls: boolean): void {
    this.#place = place;
    if (scrolls) this.#scrollTo(place);
    this.#drawRows();
  }

  #enter(isAdded: boolean): void {
    const {row, column} = this.#place;
    const {active} = this;
    if (row < 0) this.#sort(column, isAdded);
    else if (active !== null) this.handlers.open?.(active, this.#shown[column]);
  }

  #sort(shown: number, isAdded: boolean): void {
    const table = this.#table;
    if (!table) return;
    const column = this.#shown[shown];
    this.handlers.sort?.(nextSort(table.sort, column, table.columns[column].isText, isAdded));
  }

  /** Alt and an arrow resize the active column; with Shift they move it. */
  #arrange({key, shiftKey}: KeyboardEvent): boolean {
    const by = {ArrowLeft: -1, ArrowRight: 1}[key];
    if (by === undefined) return false;
    const {column} = this.#place;
    const context = this.#menuContext();
    if (!shiftKey) {
      this.#resize(column, this.#head.children[column].getBoundingClientRect().width + by * keyResizePx);
    } else if (context && column + by >= 0 && column + by < this.#shown.length) {
      this.#place = {...this.#place, column: column + by};
      moveColumn(this.#shown[column], this.#shown[column + by], context);
    }
    return true;
  }

  #menuContext(): ColumnMenuContext | null {
    const table = this.#table;
    const {sort, filter} = this.handlers;
    const laidOut = () => {
      this.#showColumns();
    };
    return table && {table, layouts: this.layouts, shown: this.#shown, sort, filter, laidOut};
  }

  #openMenu(shown: number): void {
    const context = this.#menuContext();
    const header = this.#head.children.item(shown);
    if (!context || !header) return;
    const [at, frame] = [header.getBoundingClientRect(), this.element.getBoundingClientRect()];
    this.#menu.show(columnMenu(this.#shown[shown], context), at.left - frame.left, at.bottom - frame.top);
  }

  /** Copies the active cell for one selected row; the rows if there are several. */
  #copy(): void {
    const table = this.#table;
    const {row, column, anchor} = this.#place;
    const {active} = this;
    if (!table) return;
    if (row !== anchor) this.handlers.copyRows?.(Math.min(row, anchor), Math.max(row, anchor) + 1, this.#shown);
    else if (active !== null) {
      const {title, text} = table.cell(active, this.#shown[column]);
      this.handlers.copyCell?.(title ?? text);
    }
  }

  #scrollTo({row, column}: GridPlace): void {
    const grid = this.#grid;
    const topPx = Math.max(0, row) * rowPx;
    // The header and the totals cover rows.
    const inSightPx = grid.clientHeight - this.#head.offsetHeight - this.#foot.offsetHeight - rowPx;
    if (topPx < grid.scrollTop) grid.scrollTop = topPx;
    else if (topPx > grid.scrollTop + inSightPx) grid.scrollTop = topPx - inSightPx;
    this.#head.children.item(column)?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  }

  #click(event: MouseEvent): void {
    const target = event.target instanceof Element ? event.target : null;
    const shown = shownOf(event);
    if (!target || shown < 0 || isOnResizer(event)) return;
    if (target.closest('.head')) this.#clickHead(target, shown, event.shiftKey);
    else this.#clickCell(event, Number(target.closest<HTMLElement>('.row')?.dataset['row'] ?? NaN), shown);
  }

  #clickHead(target: Element, shown: number, isAdded: boolean): void {
    this.#place = {row: -1, column: shown, anchor: -1};
    if (target.closest('.head-menu')) this.#openMenu(shown);
    else this.#sort(shown, isAdded);
  }

  #clickCell(event: MouseEvent, row: number, column: number): void {
    // The line of totals is not a row.
    if (Number.isNaN(row)) return;
    const isSelecting = event.shiftKey && this.handlers.copyRows !== undefined;
    this.#place = {row, column, anchor: isSelecting ? Math.max(0, this.#place.anchor) : row};
    this.#mark();
    if (this.handlers.opensOnClick && !isSelecting) this.#open(event);
  }

  #open(event: MouseEvent): void {
    const line = event.target instanceof Element ? event.target.closest<HTMLElement>('.body .row') : null;
    const row = line ? (this.#table?.row(Number(line.dataset['row'])) ?? null) : null;
    const shown = shownOf(event);
    if (row !== null && shown >= 0) this.handlers.open?.(row, this.#shown[shown]);
  }
}
