import {mkdir} from 'node:fs/promises';
import {basename, join} from 'node:path';
import {TraceError} from '../core/base/errors.js';
import {knownLines, type KnownLine} from '../core/source/known-lines.js';
import {isText} from '../core/trace/text-table.js';
import {loadReportDetails} from '../importers/report-details.js';
import {readSidecar} from '../launch/run/sidecar-file.js';
import type {ParquetColumn} from '../parquet/parquet-column.js';
import {parquetBytes, type RowGroup} from '../parquet/write-parquet.js';
import {exportedTables, type ExportedTable} from '../sql/exported-tables.js';
import {columnDetails} from '../sql/needed-details.js';
import {sqlTables, type SqlColumn} from '../sql/schema.js';
import {kernelSitesOfProfile} from './compiled-graphs.js';
import type {LoadedProfile} from './load-trace.js';
import {writeOutput} from './output-file.js';
import {refuseInputAsOutput} from './refuse-input-as-output.js';
import {UsageError} from './command.js';

/**
 * Writes the tables of a profile that queries see: into a folder, a file for each; or, where `output` ends with
 * `.parquet`, into one file, whose first column names the table of a row.
 *
 * @param file the profile as the user named it
 * @throws TraceError `file/unwritable`; UsageError for a text report
 */
export async function exportParquet(file: string, profile: LoadedProfile, output: string): Promise<readonly string[]> {
  const {trace} = profile;
  if (isText(trace)) {
    throw new UsageError(`${basename(file)} is a text with tables, which can be written --to csv, html or markdown.`);
  }
  const lines = await linesOf(file, profile);
  const details = await loadReportDetails(profile.path, trace, columnDetails);
  if (/\.parquet$/i.test(output)) {
    await writeOutput(output, parquetBytes(allColumns, inOneFile(exportedTables(trace, lines, details))));
    return [];
  }
  await makeFolder(output);
  for (const exported of exportedTables(trace, lines, details)) {
    const {table} = exported;
    const path = join(output, `${table.name}.parquet`);
    await refuseInputAsOutput(path, [file]);
    await writeOutput(path, parquetBytes(table.columns.map(typed), [exported]));
  }
  return [];
}

async function linesOf(file: string, profile: LoadedProfile): Promise<KnownLine[]> {
  const sidecar = await readSidecar(file);
  return knownLines(sidecar, await kernelSitesOfProfile(file, sidecar, () => Promise.resolve(profile)));
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, {recursive: true});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new TraceError('file/unwritable', `${path} cannot be made: ${reason}.`, {cause: error});
  }
}

/** Short texts and names are both texts there. */
function typed({name, type}: SqlColumn): ParquetColumn {
  return {name, type: type === 'name' ? 'text' : type};
}

/** The columns of all tables; those of one name mean the same. */
const allColumns: readonly ParquetColumn[] = [
  {name: 'table', type: 'text'},
  ...new Map(sqlTables.flatMap(({columns}) => columns.map(column => [column.name, typed(column)]))).values(),
];

function* inOneFile(tables: Iterable<ExportedTable>): Generator<RowGroup> {
  for (const {table, length, columns} of tables) {
    const own = new Map(table.columns.map(({name}, at) => [name, columns[at]]));
    own.set('table', () => table.name);
    yield {length, columns: allColumns.map(({name}) => own.get(name) ?? null)};
  }
}
