import {findIn, plainCell} from '../../src/core/findings/find.js';
import {noDetails, type ReportDetails} from '../../src/core/figures/report-details.js';
import type {Finding} from '../../src/core/findings/rules/finding.js';
import type {FactValue} from '../../src/core/findings/rules/rule.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {usedByAll} from '../../src/sql/known-statements.js';
import {columnDetails} from '../../src/sql/needed-details.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {sqlRows} from './sql-rows.js';

/** Returns the findings of a profile, computed in this process. */
export async function findingsInFile(path: string): Promise<Finding[]> {
  const trace = await openTrace(path);
  return findingsIn(trace, await loadReportDetails(path, trace, columnDetails));
}

/** Returns the findings of a trace, computed in this process. @param details read again from its file */
export async function findingsIn(trace: Trace, details: ReportDetails = noDetails): Promise<Finding[]> {
  const database = new TraceDatabase();
  database.addDetails(details);
  const {findings} = await findIn(async statements => {
    const wanted = usedByAll(statements.map(sql => database.wantedBy(sql)));
    database.fill(trace, {wanted}, () => undefined);
    const cells: FactValue[] = [];
    for (const sql of statements) cells.push(await cell(trace, sql, database));
    return cells;
  });
  database.close();
  return [...findings];
}

/** Returns the only cell of a query's result; null without rows. */
export async function cell(trace: Trace, sql: string, database = new TraceDatabase()): Promise<FactValue> {
  const [row] = await sqlRows(trace, sql, database);
  return plainCell(row ? Object.values(row)[0] : null);
}
