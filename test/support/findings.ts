import {factQueries, find} from '../../src/core/findings/find.js';
import type {Finding} from '../../src/core/findings/finding.js';
import type {FactValue} from '../../src/core/findings/rule.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {sqlRows} from './sql-rows.js';

/** What stands in the way in a trace, asked in this process. */
export async function findingsIn(trace: Trace): Promise<Finding[]> {
  const database = new TraceDatabase();
  const answers = new Map<string, FactValue>();
  for (const sql of factQueries()) answers.set(sql, await cell(trace, sql, database));
  database.close();
  return find(answers);
}

/** The one cell that a query answers with; null without rows. */
export async function cell(trace: Trace, sql: string, database = new TraceDatabase()): Promise<FactValue> {
  const [row] = await sqlRows(trace, sql, database);
  const value = row ? Object.values(row)[0] : null;
  return typeof value === 'bigint' ? Number(value) : (value ?? null);
}
