import {isFields} from '../../base/read-json.js';
import type {FactValue} from '../rules/rule.js';

/** A printed table in a text, as used by the rules. */
export interface PrintedTable {
  /** `printed.table_id`. */
  readonly id: number;
  /** nsys’s name of the report, `key_averages` or `benchmark`. */
  readonly report: string;
  readonly run: string;
  /** Its name for people: the run, else the heading above it, else the report. */
  readonly label: string;
  readonly columns: readonly string[];
}

/** A cell with all tables of a text; an empty list for other profiles. */
export const tableOutline = `SELECT json_group_array(json_object('id', table_id, 'report', report, 'run', run, 'title', title, 'columns', json(columns)))
FROM (SELECT table_id, report, run, title, json_group_array(column_title) AS columns
  FROM (SELECT DISTINCT table_id, report, run, title, column_title FROM printed) GROUP BY table_id, report, run, title ORDER BY table_id)`;

/** Returns the tables in the cell above. */
export function printedTables(outline: FactValue): PrintedTable[] {
  const listed: unknown = typeof outline === 'string' ? JSON.parse(outline) : [];
  if (!Array.isArray(listed)) return [];
  return listed.filter(isFields).map(({id, report, run, title, columns}) => ({
    id: Number(id),
    report: String(report),
    run: String(run),
    label: String(run) || String(title) || String(report),
    columns: Array.isArray(columns) ? columns.map(String) : [],
  }));
}

/** Returns the tables of some reports. */
export const tablesOf = (tables: readonly PrintedTable[], ...reports: readonly string[]): PrintedTable[] =>
  tables.filter(({report}) => reports.includes(report));

/**
 * Returns a common table expression with a row for each row of a table.
 *
 * @param columns SQL name → the title of the printed column
 */
export function rowsOf(table: PrintedTable, columns: Readonly<Record<string, string>>): string {
  const picked = Object.entries(columns).map(
    ([name, title]) => `max(CASE WHEN column_title = '${title}' THEN value END) AS ${name}`,
  );
  return `SELECT "row", max(row_name) AS name, max(class) AS class, ${picked.join(', ')} FROM printed WHERE table_id = ${String(table.id)} GROUP BY "row"`;
}
