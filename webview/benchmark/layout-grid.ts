import type {LayoutCell, LayoutColumn, LayoutTable} from '../../src/core/benchmark/layout-table.js';
import {element} from '../shared/dom.js';

/** A table of figures: one cell is the active one, moved by arrows; a cell with a figure is selected by a click or Enter. */
export class LayoutGrid {
  readonly element = element('div', {className: 'layout-grid'});
  #cells: HTMLElement[][] = [];
  #place = {row: 0, column: 0};

  constructor(private readonly onSelect: (measurement: number) => void) {
    this.element.addEventListener('keydown', event => {
      this.#press(event);
    });
    this.element.addEventListener('click', ({target}) => {
      const cell = target instanceof Element ? target.closest<HTMLElement>('td') : null;
      if (cell) this.#activate(Number(cell.dataset['row']), Number(cell.dataset['column']));
      this.#select(cell);
    });
  }

  /** @param selected the measurement whose cells are marked */
  show(table: LayoutTable, selected: number | null): void {
    const hadFocus = this.element.contains(document.activeElement);
    this.#cells = table.rows.map((cells, row) =>
      cells.map((cell, column) => cellElement(cell, table.columns[column], row, column)),
    );
    const body = this.#cells.map(cells => element('tr', {children: cells}));
    const attributes = {role: 'grid', 'aria-label': table.title};
    this.element.replaceChildren(
      element('table', {
        attributes,
        children: [element('thead', {children: headRows(table.columns)}), element('tbody', {children: body})],
      }),
    );
    this.mark(selected);
    this.#activate(this.#place.row, this.#place.column, hadFocus);
  }

  /** Marks the cells of a measurement. */
  mark(selected: number | null): void {
    for (const cell of this.#cells.flat()) {
      const isSelected = selected !== null && cell.dataset['measurement'] === String(selected);
      cell.classList.toggle('selected', isSelected);
      cell.setAttribute('aria-selected', String(isSelected));
    }
  }

  #press(event: KeyboardEvent): void {
    const {row, column} = this.#place;
    const lastRow = this.#cells.length - 1;
    const lastColumn = (this.#cells[0]?.length ?? 1) - 1;
    const places: Readonly<Record<string, [number, number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? lastRow : row, lastColumn],
      PageUp: [row - 10, column],
      PageDown: [row + 10, column],
    };
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      this.#select(this.#cells[row]?.[column] ?? null);
      return;
    }
    if (!Object.hasOwn(places, event.key)) return;
    event.preventDefault();
    const [nextRow, nextColumn] = places[event.key];
    this.#activate(nextRow, nextColumn, true);
  }

  #activate(row: number, column: number, takesFocus = false): void {
    const within = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));
    for (const cell of this.#cells.flat()) cell.tabIndex = -1;
    this.#place = {row: within(row, this.#cells.length), column: within(column, this.#cells[0]?.length ?? 0)};
    const cell = this.#cells.at(this.#place.row)?.at(this.#place.column);
    if (!cell) return;
    cell.tabIndex = 0;
    if (takesFocus) cell.focus();
  }

  #select(cell: HTMLElement | null): void {
    const measurement = cell?.dataset['measurement'];
    if (measurement !== undefined) this.onSelect(Number(measurement));
  }
}

function cellElement(cell: LayoutCell, column: LayoutColumn, row: number, at: number): HTMLElement {
  return element('td', {
    className: [column.isNumber ? 'number' : 'text', cell.tone].join(' '),
    text: cell.text,
    attributes: {
      role: 'gridcell',
      tabindex: '-1',
      'data-row': String(row),
      'data-column': String(at),
      ...(cell.measurement !== null && {'data-measurement': String(cell.measurement)}),
    },
  });
}

/** Groups above their columns, where there are any. */
function headRows(columns: readonly LayoutColumn[]): HTMLElement[] {
  const titles = columns.map(({title, isNumber}) =>
    element('th', {className: isNumber ? 'number' : 'text', text: title, attributes: {scope: 'col'}}),
  );
  const rows = [element('tr', {children: titles})];
  if (columns.every(({group}) => group === '')) return rows;
  const groups: {group: string; span: number}[] = [];
  for (const {group} of columns) {
    const last = groups.at(-1);
    if (last?.group === group) last.span++;
    else groups.push({group, span: 1});
  }
  const heads = groups.map(({group, span}) => {
    const attributes = {colspan: String(span)};
    if (group === '') return element('td', {className: 'group', attributes});
    return element('th', {className: 'group', text: group, attributes: {...attributes, scope: 'colgroup'}});
  });
  return [element('tr', {children: heads}), ...rows];
}
