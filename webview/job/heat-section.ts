import {element} from '../shared/dom.js';
import {RowGrid, type RowGridContext} from '../shared/grid/row-grid.js';
import type {Theme} from '../shared/theme.js';
import {button} from '../shared/ui.js';
import {cellText, type HeatCell, type HeatGrid} from './heat-grid.js';
import {HeatMap} from './heat-map.js';
import {gridColumns} from './job-tables.js';
import {counted, t} from '../shared/translate.js';

/** A page shows no more cells as text; the command line prints all. */
const mostCells = 20_000;

/** A heat map with the chosen cell described below, a button that opens the cell, and the same data as a table. */
export class HeatSection {
  readonly #map: HeatMap;
  readonly #chosen = element('div', {className: 'heat-chosen'});
  readonly #table = element('details');
  readonly element = element('div');
  #grid: HeatGrid | null = null;

  /**
   * @param widestPx the width of a column if there are few
   * @param openText the text of the button
   */
  constructor(
    widestPx: number,
    private readonly openText: string,
    private readonly onOpen: (cell: HeatCell) => void,
    private readonly theme: () => Theme,
    private readonly grids: RowGridContext,
  ) {
    this.#map = new HeatMap(widestPx, {
      chosen: cell => {
        this.#choose(cell);
      },
      open: onOpen,
    });
    this.element.append(this.#map.element, this.#chosen, this.#table);
  }

  show(grid: HeatGrid): void {
    this.#grid = grid;
    this.#chosen.replaceChildren();
    const {rows, columns, label} = grid;
    const shown = Math.max(1, Math.floor(mostCells / Math.max(1, columns.length)));
    const listed = [...rows.keys()].slice(0, shown);
    const table = new RowGrid(label, gridColumns(grid), listed, this.grids, row => {
      this.onOpen({row, column: -1});
    });
    table.element.classList.add('inline');
    const rest =
      rows.length > shown ? [element('p', {text: counted(rows.length - shown, '{0} more row', '{0} more rows')})] : [];
    this.#table.replaceChildren(element('summary', {text: t('The same as a table')}), table.element, ...rest);
    this.#map.show(grid, this.theme());
  }

  draw(): void {
    this.#map.draw(this.theme());
  }

  #choose(cell: HeatCell | null): void {
    this.draw();
    const grid = this.#grid;
    if (!cell || !grid) {
      this.#chosen.replaceChildren();
      return;
    }
    const open = button(
      this.openText,
      () => {
        this.onOpen(cell);
      },
      'icon',
    );
    this.#chosen.replaceChildren(element('span', {text: cellText(grid, cell)}), open);
  }
}
