import {element} from '../shared/dom.js';
import {RowGrid, type RowColumn, type RowGridContext} from '../shared/grid/row-grid.js';

/** Returns a table of a comparison with its heading. */
export function sectionGrid<Row>(
  title: string,
  columns: readonly RowColumn<Row>[],
  rows: readonly Row[],
  grids: RowGridContext,
): HTMLElement[] {
  const grid = new RowGrid(title, columns, rows, grids);
  grid.element.classList.add('inline');
  return [element('h2', {text: title}), grid.element];
}
