import {kernelClass} from '../../core/names/kernel-class.js';
import type {Report} from '../../core/reports/report.js';
import {textReports} from '../../core/reports/text-reports.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import type {TableRows} from './table-source.js';

/** A cell of a printed table. */
interface PrintedCell {
  readonly table: number;
  readonly row: number;
  readonly column: number;
  readonly cell: string | number | bigint | null;
}

/** The cells of a text’s tables, with the names of their rows and columns. */
export function printedRows({textTables}: Trace, texts: Texts): TableRows {
  const reports = textReports(textTables);
  const named = reports.map(nameColumn);
  const cells: PrintedCell[] = [];
  const names = reports.map(({rows}, table) =>
    Array.from({length: rows.length}, (_, row) => {
      const of = rows.cells(row);
      of.forEach((cell, column) => cells.push({table, row, column, cell}));
      const name = of[named[table] ?? -1];
      return typeof name === 'string' ? name : '';
    }),
  );
  const at = (row: number) => cells[row];
  const nameOf = ({table, row}: PrintedCell) => names[table]?.[row] ?? '';
  return {
    length: cells.length,
    columns: {
      table_id: () => row => at(row).table,
      report: () => row => textTables[at(row).table].report,
      table_name: () => row => reports[at(row).table].name,
      run: () => row => textTables[at(row).table].run,
      title: () => row => textTables[at(row).table].title,
      line: () => row => textTables[at(row).table].line,
      row: () => row => at(row).row,
      row_name: () => row => texts.add(nameOf(at(row))),
      class: () => row => kernelClass(nameOf(at(row))),
      column_title: () => row => texts.add(reports[at(row).table].columns[at(row).column].title),
      unit: () => row => reports[at(row).table].columns[at(row).column].unit,
      value: () => row => numberOf(at(row).cell),
      text: () => row => textOf(texts, at(row).cell),
    },
  };
}

/** The column that names a row: the report's name column, else the first column of texts. */
function nameColumn({columns}: Report): number {
  const told = columns.findIndex(({role}) => role === 'name' || role === 'range');
  return told < 0 ? columns.findIndex(({isText}) => isText) : told;
}

const numberOf = (cell: PrintedCell['cell']) => (typeof cell === 'string' ? null : cell);
const textOf = (texts: Texts, cell: PrintedCell['cell']) => (typeof cell === 'string' ? texts.add(cell) : null);
