import {greatest} from '../table/extremes.js';
import {csvCell, markdownCell} from '../format/cells.js';
import {markdownTable} from '../format/markdown-table.js';

/** A cell of a table of benchmark figures. */
export interface LayoutCell {
  readonly text: string;
  /** The measurement that it shows, null for none. */
  readonly measurement: number | null;
  readonly tone: 'none' | 'better' | 'worse' | 'problem' | 'unsteady';
  /** The figure in its column's unit, by which rows are sorted; null for a text, and if there is none. */
  readonly value: number | null;
}

export interface LayoutColumn {
  /** The heading that it shares with its neighbours, "" for none: `Forward`. */
  readonly group: string;
  readonly title: string;
  readonly isNumber: boolean;
}

/** A table of benchmark figures, independent of how it is displayed. */
export interface LayoutTable {
  readonly title: string;
  readonly columns: readonly LayoutColumn[];
  readonly rows: readonly (readonly LayoutCell[])[];
}

export function plainCell(text: string, measurement: number | null = null, value: number | null = null): LayoutCell {
  return {text, measurement, tone: 'none', value};
}

/** Returns the header of a column on one line: `Forward bf16 (ms)`. */
export function columnHeader({group, title}: LayoutColumn): string {
  return [group, title].filter(text => text !== '').join(' ');
}

export type LayoutFormat = 'table' | 'markdown' | 'csv';

/** Returns the table as text, with a final line feed. */
export function layoutText(table: LayoutTable, format: LayoutFormat): string {
  const headers = table.columns.map(columnHeader);
  const body = table.rows.map(row => row.map(({text}) => text));
  const all = [headers, ...body];
  switch (format) {
    case 'csv':
      return all.map(row => `${row.map(csvCell).join(',')}\n`).join('');
    case 'markdown': {
      const isNumeric = table.columns.map(({isNumber}) => isNumber);
      const [titles = [], ...rows] = all.map(row => row.map(markdownCell));
      return `${markdownTable(titles, isNumeric, rows)}\n`;
    }
    case 'table': {
      const widths = headers.map((_, at) => greatest(all.map(row => row[at]?.length ?? 0)));
      const pad = (text: string, at: number) =>
        table.columns[at]?.isNumber ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0);
      return all.map(row => `${row.map(pad).join('  ').trimEnd()}\n`).join('');
    }
  }
}
