import type {Trace} from '../../src/core/trace/trace.js';
import type {FromSqlProcess, SqlCell, SqlEnd} from '../../src/sql/messages.js';
import {runQuery} from '../../src/sql/run-query.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';

export type SqlRow = Readonly<Record<string, SqlCell>>;

/** Returns the rows of a query on a trace, in this process, as objects. */
export async function sqlRows(trace: Trace, sql: string, database = new TraceDatabase()): Promise<SqlRow[]> {
  return (await sqlAnswer(trace, sql, Infinity, database)).rows;
}

/** Returns the same, with the query's end. */
export async function sqlAnswer(
  trace: Trace,
  sql: string,
  limitRows: number,
  database = new TraceDatabase(),
): Promise<{rows: SqlRow[]; end: SqlEnd}> {
  const query = database.prepare(sql);
  database.fill(trace, query, () => undefined);
  let columns: readonly string[] = [];
  const rows: SqlRow[] = [];
  const end = await runQuery(query, limitRows, (message: FromSqlProcess) => {
    if (message.kind === 'columns') ({columns} = message);
    if (message.kind !== 'rows') return;
    rows.push(...message.rows.map(row => Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))));
  });
  return {rows, end};
}
