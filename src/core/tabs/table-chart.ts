import {columnHeader, type Cell, type Report} from '../reports/report.js';
import type {ReadReport} from './table-page.js';
import {shownCell} from './shown-cell.js';
import type {FilteredRows} from './table-rows.js';

/** A row as a bar. */
export interface ChartBar {
  /** The row's name, followed by what distinguishes the row from others. */
  readonly name: string;
  /** In the unit of the column. */
  readonly value: number;
  /** As the table writes it. */
  readonly text: string;
  /** The parts that add up to the value, in the order of the columns; absent if the column has no parts. */
  readonly parts?: readonly ChartPart[];
}

/** A part of a bar. */
interface ChartPart {
  /** The title of its column. */
  readonly title: string;
  readonly value: number;
  readonly text: string;
}

/** A column of a table as bars, in the order of its rows. */
export interface TableChart {
  /** Title and unit of the column, which identify it. */
  readonly header: string;
  readonly title: string;
  readonly definition: string;
  readonly bars: readonly ChartBar[];
  /** Number of rows with a number in the column, including those that are not drawn. */
  readonly rowCount: number;
}

/** Nobody reads more bars. */
const mostBars = 100;

/**
 * Returns the first hundred rows that a filter keeps, as bars of one column. Rows without a number in it are omitted. A
 * column of texts has no bars.
 */
export function tableChart({report, cells}: ReadReport, {rows}: FilteredRows, column: number): TableChart {
  const charted = report.columns.at(column);
  if (!charted) throw new RangeError('There is no such column.');
  const labels = labelColumns(report);
  const partColumns = (charted.parts ?? []).map(title => report.columns.findIndex(other => other.title === title));
  const bars: ChartBar[] = [];
  let rowCount = 0;
  for (const row of rows) {
    const value = cells[row][column];
    if (typeof value !== 'number' || !Number.isFinite(value)) continue;
    rowCount++;
    if (bars.length === mostBars) continue;
    const name = labels.map(at => String(cells[row][at] ?? '')).filter(text => text !== '');
    const parts = partColumns.flatMap(at => partOf(report, cells[row][at], at));
    bars.push({name: name.join(' · '), value, text: shownCell(value, charted), ...(parts.length > 0 && {parts})});
  }
  return {header: columnHeader(charted), title: charted.title, definition: charted.definition, bars, rowCount};
}

function partOf({columns}: Report, value: Cell | undefined, at: number): ChartPart[] {
  return typeof value === 'number' ? [{title: columns[at].title, value, text: shownCell(value, columns[at])}] : [];
}

/** Returns the columns that name a row: profilers put names last. If no column is a text, the first column. */
function labelColumns({columns}: Report): number[] {
  const texts = columns.flatMap(({isText}, at) => (isText === true ? [at] : []));
  return texts.length === 0 ? [0] : texts.reverse();
}
