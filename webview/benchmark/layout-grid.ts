import {say} from '../shared/translate.js';
import {columnHeader, type LayoutCell, type LayoutTable} from '../../src/core/benchmark/layout-table.js';
import {unsteadyText} from './measurement-text.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';

type LayoutRow = readonly LayoutCell[];

/** A table of figures in the grid that all views use; a click or Enter selects a cell with a figure. */
export class LayoutGrid {
  readonly element: HTMLElement;
  readonly #grid: RowGrid<LayoutRow>;
  #table: LayoutTable = {title: '', columns: [], rows: []};
  #selected: number | null = null;

  constructor(grids: RowGridContext, onSelect: (measurement: number) => void) {
    this.#grid = new RowGrid<LayoutRow>('', [], [], grids, (row, column) => {
      const {measurement} = row[column];
      if (measurement !== null) onSelect(measurement);
    });
    this.element = this.#grid.element;
    this.element.classList.add('inline');
  }

  /**
   * Shows a table. Results that arrive meanwhile do not move the active cell. @param selected the marked measurement
   */
  show(table: LayoutTable, selected: number | null): void {
    this.#table = table;
    this.#selected = selected;
    this.#grid.update(table.title, this.#columns(), table.rows);
  }

  /** Marks the cells of a measurement. */
  mark(selected: number | null): void {
    this.#selected = selected;
    this.#grid.redraw();
  }

  /** The table as shown: sorted and filtered, without hidden columns. */
  get shownTable(): LayoutTable {
    const {title, columns} = this.#table;
    const shown = this.#grid.shownColumns;
    return {
      title,
      columns: shown.map(at => columns[at]),
      rows: this.#grid.shownRows.map(row => shown.map(at => row[at])),
    };
  }

  #columns(): RowColumn<LayoutRow>[] {
    return this.#table.columns.map((column, at) => {
      const {title, group, isNumber} = column;
      const all = {
        ...{id: columnHeader(column), title, group: say(group), about: columnHeader({...column, group: say(group)})},
        text: (row: LayoutRow) => row[at].text,
        look: (row: LayoutRow) => ({className: this.#classes(row[at])}),
        whole: (row: LayoutRow) => (row[at].tone === 'unsteady' ? `${row[at].text}: ${unsteadyText()}` : row[at].text),
      };
      return isNumber ? {...all, value: (row: LayoutRow) => row[at].value} : {...all, isText: true};
    });
  }

  #classes({measurement, tone}: LayoutCell): string {
    const isSelected = measurement !== null && measurement === this.#selected;
    return [tone, measurement === null ? '' : 'figure', isSelected ? 'chosen' : '']
      .filter(name => name !== '')
      .join(' ');
  }
}
