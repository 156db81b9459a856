import type {QueryResultView, QuerySort} from '../../src/protocol/query-messages.js';
import {onNextFrame} from '../shared/canvas.js';
import {element} from '../shared/dom.js';
import {moveCursor, type GridCursor} from './grid-cursor.js';
import type {RowCache} from '../shared/row-cache.js';

const rowPx = 22;
const letterPx = 7.5;
const widthPx = {least: 60, most: 420, leastDragged: 30, step: 16} as const;
/** Rows above and below those in sight. */
const spareRows = 10;

/** Null for what is absent. */
export type RowTexts = readonly (string | null)[];

export interface GridHandlers {
  /** The user wants another order; null for that of the query. */
  sort(by: QuerySort | null): void;
  copyCell(text: string): void;
  /** Rows `from` to `to`, exclusive. */
  copyRows(from: number, to: number): void;
}

/** A table that holds the elements of the rows in sight alone, moved by mouse and keyboard. */
export class ResultGrid {
  readonly element = element('div', {className: 'grid', attributes: {role: 'grid', tabindex: '0'}});
  readonly #head = element('div', {className: 'row head', attributes: {role: 'row'}});
  readonly #body = element('div', {className: 'rows', attributes: {role: 'rowgroup'}});
  readonly #draw = onNextFrame(() => {
    this.#drawRows();
  });
  #result: QueryResultView | null = null;
  #cache: RowCache<RowTexts> | null = null;
  #widths: number[] = [];
  #hasWidths = false;
  #sort: QuerySort | null = null;
  #cursor: GridCursor = {row: 0, column: 0, anchor: 0};

  constructor(private readonly handlers: GridHandlers) {
    this.element.append(this.#head, this.#body);
    this.element.addEventListener('scroll', this.#draw);
    new ResizeObserver(this.#draw).observe(this.element);
    this.element.addEventListener('keydown', event => {
      this.#onKey(event);
    });
    this.#body.addEventListener('mousedown', event => {
      this.#onMouse(event);
    });
  }

  show(result: QueryResultView, cache: RowCache<RowTexts>): void {
    this.#result = result;
    this.#cache = cache;
    this.#sort = result.sort;
    this.#hasWidths = false;
    this.#cursor = {row: 0, column: 0, anchor: 0};
    this.#widths = result.columns.map(name => widthFor(name.length + 3));
    this.element.setAttribute('aria-rowcount', String(result.rowCount + 1));
    this.element.setAttribute('aria-colcount', String(result.columns.length));
    this.element.setAttribute('aria-label', `Result: ${result.summary}`);
    this.#body.style.height = `${String(result.rowCount * rowPx)}px`;
    this.element.scrollTo(0, 0);
    this.#applyWidths();
    this.#drawHead();
    this.#draw();
  }

  /** Rows have come. */
  refresh(): void {
    this.#draw();
  }

  #drawHead(): void {
    const {columns, isNumeric} = this.#result ?? {columns: [], isNumeric: []};
    this.#head.replaceChildren(
      ...columns.map((name, column) => {
        const isSorted = this.#sort?.column === column;
        const direction = this.#sort?.isDescending ? 'descending' : 'ascending';
        const about = `Sort by ${name}; Shift with ← or → makes the column narrower or wider`;
        const button = element('button', {
          text: name,
          attributes: {title: about, 'aria-label': name, 'aria-description': about},
        });
        if (isSorted)
          button.append(
            element('span', {className: `codicon codicon-arrow-${direction === 'ascending' ? 'up' : 'down'}`}),
          );
        button.addEventListener('click', () => {
          this.#sortBy(column);
        });
        button.addEventListener('keydown', event => {
          this.#onHeadKey(event, column);
        });
        const handle = element('span', {className: 'resize'});
        handle.addEventListener('pointerdown', event => {
          this.#resize(event, handle, column);
        });
        return element('div', {
          className: isNumeric[column] ? 'cell number' : 'cell',
          attributes: {role: 'columnheader', 'aria-sort': isSorted ? direction : 'none'},
          children: [button, handle],
        });
      }),
    );
  }

  /** First from the largest in columns of numbers, from the first letter in others; then the other way; then as it came. */
  #sortBy(column: number): void {
    const first = this.#result?.isNumeric[column] ?? false;
    const before = this.#sort?.column === column ? this.#sort.isDescending : null;
    if (before === null) this.#sort = {column, isDescending: first};
    else this.#sort = before === first ? {column, isDescending: !first} : null;
    this.handlers.sort(this.#sort);
    this.#drawHead();
    (this.#head.children[column].firstElementChild as HTMLElement).focus();
  }

  #resize(event: PointerEvent, handle: HTMLElement, column: number): void {
    event.preventDefault();
    const fromPx = event.clientX - this.#widths[column];
    const move = ({clientX}: PointerEvent) => {
      this.#widen(column, clientX - fromPx);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener('pointermove', move);
    handle.addEventListener(
      'pointerup',
      () => {
        handle.removeEventListener('pointermove', move);
      },
      {once: true},
    );
  }

  #onHeadKey(event: KeyboardEvent, column: number): void {
    const step = {ArrowLeft: -widthPx.step, ArrowRight: widthPx.step}[event.key];
    if (step === undefined || !event.shiftKey) return;
    this.#widen(column, this.#widths[column] + step);
    event.preventDefault();
  }

  #widen(column: number, px: number): void {
    this.#widths[column] = Math.max(widthPx.leastDragged, px);
    this.#applyWidths();
  }

  #applyWidths(): void {
    this.element.style.setProperty('--columns', this.#widths.map(width => `${String(Math.round(width))}px`).join(' '));
  }

  #drawRows(): void {
    const result = this.#result;
    const cache = this.#cache;
    if (!result || !cache) return;
    const first = Math.max(0, Math.floor(this.element.scrollTop / rowPx) - spareRows);
    const end = Math.min(result.rowCount, first + Math.ceil(this.element.clientHeight / rowPx) + 2 * spareRows);
    const rows: HTMLElement[] = [];
    for (let row = first; row < end; row++) rows.push(this.#rowElement(row, cache.row(row), result));
    this.#body.replaceChildren(...rows);
    this.#fitOnce(result, cache);
  }

  #rowElement(row: number, texts: RowTexts | null, {columns, isNumeric}: QueryResultView): HTMLElement {
    const {anchor, row: cursorRow, column: cursorColumn} = this.#cursor;
    const isSelected = row >= Math.min(anchor, cursorRow) && row <= Math.max(anchor, cursorRow);
    const cells = columns.map((_, column) => {
      const text = texts === null ? '' : texts[column];
      const isCursor = row === cursorRow && column === cursorColumn;
      const classes = [
        'cell',
        isNumeric[column] ? 'number' : '',
        text === null ? 'null' : '',
        isCursor ? 'cursor' : '',
      ];
      return element('div', {
        className: classes.filter(name => name !== '').join(' '),
        text: text ?? 'NULL',
        attributes: {
          role: 'gridcell',
          ...(isCursor && {id: 'cursor'}),
          ...(text !== null && {title: text.slice(0, 2000)}),
        },
      });
    });
    const created = element('div', {
      className: isSelected ? 'row selected' : 'row',
      attributes: {role: 'row', 'aria-rowindex': String(row + 2), 'aria-selected': String(isSelected)},
      children: cells,
    });
    created.dataset['row'] = String(row);
    created.style.top = `${String(row * rowPx)}px`;
    return created;
  }

  /** Columns are as wide as what the first rows hold, once those are there. */
  #fitOnce({columns, rowCount}: QueryResultView, cache: RowCache<RowTexts>): void {
    if (this.#hasWidths || rowCount === 0 || cache.row(0) === null) return;
    this.#hasWidths = true;
    const shown = Array.from({length: Math.min(rowCount, 100)}, (_, row) => cache.row(row));
    this.#widths = columns.map((name, column) => {
      const longest = shown.reduce((most, texts) => Math.max(most, texts?.[column]?.length ?? 4), name.length + 3);
      return widthFor(longest);
    });
    this.#applyWidths();
  }

  #onKey(event: KeyboardEvent): void {
    const result = this.#result;
    if (!result || event.target !== this.element) return;
    const isCommand = event.ctrlKey || event.metaKey;
    if (isCommand && event.key === 'c') this.#copy();
    else if (isCommand && event.key === 'a')
      this.#moveTo({...this.#cursor, anchor: 0, row: result.rowCount - 1}, false);
    else if (event.key === 'Escape') this.#moveTo({...this.#cursor, anchor: this.#cursor.row}, false);
    else {
      const rowsPerPage = Math.max(1, Math.floor(this.element.clientHeight / rowPx) - 2);
      const moved = moveCursor(this.#cursor, event, {
        rows: result.rowCount,
        columns: result.columns.length,
        rowsPerPage,
      });
      if (!moved) return;
      this.#moveTo(moved, true);
    }
    event.preventDefault();
  }

  #onMouse(event: MouseEvent): void {
    const cell = (event.target as Element).closest('.cell');
    const row = Number(cell?.parentElement?.dataset['row'] ?? NaN);
    if (!cell?.parentElement || Number.isNaN(row)) return;
    const column = [...cell.parentElement.children].indexOf(cell);
    this.element.focus({preventScroll: true});
    this.#moveTo({row, column, anchor: event.shiftKey ? this.#cursor.anchor : row}, false);
    event.preventDefault();
  }

  /** One row: the cell under the cursor; several: all of them. */
  #copy(): void {
    const {row, column, anchor} = this.#cursor;
    if (row === anchor) this.handlers.copyCell(this.#cache?.row(row)?.[column] ?? '');
    else this.handlers.copyRows(Math.min(row, anchor), Math.max(row, anchor) + 1);
  }

  #moveTo(cursor: GridCursor, scrolls: boolean): void {
    this.#cursor = cursor;
    if (scrolls) this.#scrollTo(cursor);
    this.element.setAttribute('aria-activedescendant', 'cursor');
    this.#draw();
  }

  #scrollTo({row, column}: GridCursor): void {
    const {element: view} = this;
    const topPx = row * rowPx;
    const roomPx = view.clientHeight - 2 * rowPx;
    if (topPx < view.scrollTop) view.scrollTop = topPx;
    else if (topPx > view.scrollTop + roomPx) view.scrollTop = topPx - roomPx;
    const leftPx = this.#widths.slice(0, column).reduce((sum, width) => sum + width, 0);
    const rightPx = leftPx + this.#widths[column];
    if (leftPx < view.scrollLeft) view.scrollLeft = leftPx;
    else if (rightPx > view.scrollLeft + view.clientWidth) view.scrollLeft = rightPx - view.clientWidth;
  }
}

function widthFor(letters: number): number {
  return Math.min(widthPx.most, Math.max(widthPx.least, letters * letterPx + 16));
}
