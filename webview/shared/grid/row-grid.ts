import {csvCell, markdownCell} from '../../../src/core/format/cells.js';
import {sortRows, type SortKey} from '../../../src/core/tabs/sort-rows.js';
import {element} from '../dom.js';
import type {ColumnLayouts} from './column-layouts.js';
import {Grid} from './grid.js';
import type {GridCell, GridColumn, GridTable} from './grid-table.js';
import {t} from '../translate.js';

interface Titled extends Pick<GridColumn, 'title' | 'about' | 'canShrink' | 'group'> {
  /** Unique among the columns; the title if absent. */
  readonly id?: string;
}

/** A column of rows that are all in the page. */
export type RowColumn<Row> = Titled & {
  readonly text: (row: Row) => string;
  /** The whole of a shortened text, or a number with every digit, as a tooltip. */
  readonly whole?: (row: Row) => string;
  /** A cell's style, and its text for screen readers if it differs. */
  readonly look?: (row: Row) => Pick<GridCell, 'className' | 'label'>;
} & (
    | {readonly isText: true}
    | {
        readonly isText?: false;
        /** The value to sort by; null or NaN if there is none: such rows come last. */
        readonly value: (row: Row) => number | null;
      }
  );

/** A view's services for its grids. */
export interface RowGridContext {
  readonly layouts: ColumnLayouts;
  /** Copies a text to the clipboard. */
  readonly copy: (text: string) => void;
}

/** A grid of rows that are all in the page; it sorts and filters them itself. */
export class RowGrid<Row> {
  /** The grid, and above it the filter's field while it is in use. */
  readonly element: HTMLElement;
  readonly #grid: Grid<Row>;
  readonly #filter = element('input', {
    className: 'grid-filter',
    attributes: {type: 'search', placeholder: t('Filter rows'), 'aria-label': t('Filter rows'), hidden: ''},
  });
  /** Indices into `rows`, in the shown order. */
  #order: readonly number[] = [];

  /**
   * @param label also the key under which the columns' layout is stored
   * @param open the action of a click or Enter on a cell
   */
  constructor(
    private label: string,
    private columns: readonly RowColumn<Row>[],
    private rows: readonly Row[],
    private readonly context: RowGridContext,
    open?: (row: Row, column: number) => void,
  ) {
    const {layouts, copy} = context;
    this.#grid = new Grid<Row>(
      {
        sort: keys => {
          const sort = keys.map(({column, isDescending}) => ({column: idOf(this.columns[column]), isDescending}));
          layouts.change(this.label, {sort});
          this.#show();
        },
        filter: () => {
          this.#filter.hidden = false;
          this.#filter.focus();
        },
        ...(open && {open, opensOnClick: true}),
        copyCell: copy,
        copyRows: (from, to, shown) => {
          const of = shown.map(at => this.columns[at]);
          const lines = this.shownRows.slice(from, to).map(row => of.map(({text}) => text(row)).join('\t'));
          copy(lines.join('\n'));
        },
      },
      layouts,
    );
    this.element = this.#grid.element;
    this.element.prepend(this.#filter);
    this.#filter.addEventListener('input', () => {
      this.#show();
    });
    this.#filter.addEventListener('keydown', event => {
      if (event.key === 'Escape') this.#leaveFilter(event);
    });
    this.#show();
  }

  /** Shows other rows, or another table. If the table is the same, the active cell and the filter stay. */
  update(label: string, columns: readonly RowColumn<Row>[], rows: readonly Row[]): void {
    if (label !== this.label) this.#clearFilter();
    [this.label, this.columns, this.rows] = [label, columns, rows];
    this.#show(true);
  }

  focus(): void {
    this.#grid.focus();
  }

  /** Draws all cells again after a change of style. */
  redraw(): void {
    this.#grid.redraw();
  }

  /** The rows that pass the filter, in the shown order. */
  get shownRows(): readonly Row[] {
    return this.#order.map(row => this.rows[row]);
  }

  /** The indices of the shown columns, from left to right. */
  get shownColumns(): readonly number[] {
    return this.#grid.columns;
  }

  /** Returns the shown rows as text for other programs. */
  text(format: 'csv' | 'markdown'): string {
    return rowsText(
      this.shownColumns.map(at => this.columns[at]),
      this.shownRows,
      format,
    );
  }

  #leaveFilter(event: KeyboardEvent): void {
    event.preventDefault();
    event.stopPropagation();
    this.#clearFilter();
    this.#show();
    this.#grid.focus();
  }

  #clearFilter(): void {
    this.#filter.value = '';
    this.#filter.hidden = true;
  }

  #show(staysInPlace = false): void {
    const {columns, rows} = this;
    const wanted = this.#filter.value.toLowerCase();
    const places = [...rows.keys()];
    const kept =
      wanted === ''
        ? places
        : places.filter(row => columns.some(({text}) => text(rows[row]).toLowerCase().includes(wanted)));
    const chosen = this.#chosenSort();
    const cells = rows.map(row => columns.map(column => cellOf(column, row)));
    this.#order = sortRows(kept, cells, chosen);
    this.#grid.show(this.#table(chosen.length > 0 ? chosen : orderOf(columns, cells)), staysInPlace);
  }

  #chosenSort(): SortKey[] {
    return this.context.layouts.of(this.label).sort.flatMap(({column, isDescending}) => {
      const at = this.columns.findIndex(one => idOf(one) === column);
      return at < 0 ? [] : [{column: at, isDescending}];
    });
  }

  #table(sort: readonly SortKey[]): GridTable<Row> {
    const {columns, rows, label} = this;
    return {
      ...{key: label, label, rowCount: this.#order.length, sort},
      columns: columns.map(column => {
        const {title, about = title, isText = false, canShrink = false, group = ''} = column;
        return {id: idOf(column), ...{title, about, isText, canShrink, group}};
      }),
      row: at => rows[this.#order[at]] ?? null,
      cell: (row, at) => {
        const {text, whole, look} = columns[at];
        return {text: text(row), ...look?.(row), ...(whole && {title: whole(row)})};
      },
      longest: at => rows.slice(0, 200).reduce((longest, row) => Math.max(longest, columns[at].text(row).length), 0),
    };
  }
}

/** Returns rows as text for other programs. */
export function rowsText<Row>(
  columns: readonly RowColumn<Row>[],
  rows: readonly Row[],
  format: 'csv' | 'markdown',
): string {
  const cells = [columns.map(({title}) => title), ...rows.map(row => columns.map(({text}) => text(row)))];
  if (format === 'csv') return cells.map(line => `${line.map(csvCell).join(',')}\n`).join('');
  const rule = columns.map(({isText}) => (isText ? '---' : '---:'));
  const [head = [], ...body] = cells.map(line => line.map(markdownCell));
  return [head, rule, ...body].map(line => `| ${line.join(' | ')} |\n`).join('');
}

function idOf({id, title}: Titled): string {
  return id ?? title;
}

function cellOf<Row>(column: RowColumn<Row>, row: Row): string | number | null {
  if (column.isText) return column.text(row);
  const value = column.value(row);
  return value === null || Number.isNaN(value) ? null : value;
}

/** Returns the first column by which the given rows are in descending order; none if there is no such column. */
function orderOf<Row>(
  columns: readonly RowColumn<Row>[],
  cells: readonly (readonly (string | number | null)[])[],
): SortKey[] {
  const column = columns.findIndex(({isText}, at) => {
    const values = cells.map(row => row[at] ?? -Infinity);
    if (isText || values.length < 2 || values[0] === values.at(-1)) return false;
    return values.every((value, row) => row === 0 || value <= (values[row - 1] ?? 0));
  });
  return column < 0 ? [] : [{column, isDescending: true}];
}
