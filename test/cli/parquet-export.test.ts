import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {parquetReadObjects} from 'hyparquet';
import {describe, expect, it} from 'vitest';
import {knownLines} from '../../src/core/source/known-lines.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {loadReportDetails} from '../../src/importers/report-details.js';
import {columnDetails} from '../../src/sql/needed-details.js';
import {readSidecar} from '../../src/launch/run/sidecar-file.js';
import {sqlTables} from '../../src/sql/schema.js';
import {TraceDatabase} from '../../src/sql/trace-database.js';
import {run} from '../support/command-line.js';
import {itEachFile} from '../support/each-file.js';
import {ownProfiles} from '../support/own-profiles.js';
import {temporaryFolder} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';

const folder = temporaryFolder();
const own = ownProfiles(folder);
const real = ['qwen1.5', 'ns-resolution'].flatMap(name =>
  dataFiles('kineto', '.json.gz').filter(file => file.name.startsWith(name)),
);
const profiles = [...own.kineto, ...own.nsys, ...real, ...dataFiles('nsys', 'train-2xh100-2proc.sqlite')];

async function rowsOf(path: string): Promise<Record<string, unknown>[]> {
  const bytes = readFileSync(path);
  return parquetReadObjects({file: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)});
}

/** Rows as texts: a whole number is a bigint there, and a double that is whole has no point. */
function texts(rows: readonly Record<string, unknown>[]): string[] {
  return rows.map(row =>
    Object.entries(row)
      .map(([name, value]) => `${name}=${String(value)}`)
      .join(' '),
  );
}

/** What SQLite says of each table of a profile. */
async function queried(path: string): Promise<Map<string, string[]>> {
  const trace = await openTrace(path);
  const database = new TraceDatabase(knownLines(await readSidecar(path), []));
  database.addDetails(await loadReportDetails(path, trace, columnDetails));
  const found = sqlTables.map(({name, columns}) => {
    const query = database.prepare(`SELECT * FROM ${name}`);
    database.fill(trace, query, () => undefined);
    const rows = query.statement.all();
    return [
      name,
      texts(rows.map(row => Object.fromEntries(columns.map((column, at) => [column.name, row[at]])))),
    ] as const;
  });
  database.close();
  return new Map(found);
}

describe('gpu-lens export --to parquet', () => {
  itEachFile(profiles)('writes the tables of a query, with their columns and values: $name', async ({path, name}) => {
    const out = join(folder, `tables of ${name}`);
    expect(run('export', path, '--to', 'parquet', '-o', out).status).toBe(0);
    expect(readdirSync(out).sort()).toEqual(sqlTables.map(table => `${table.name}.parquet`).sort());
    for (const [table, rows] of await queried(path)) {
      expect([table, texts(await rowsOf(join(out, `${table}.parquet`)))]).toEqual([table, rows]);
    }
  });

  it('writes one file with a column that names the table', async () => {
    const path = own.nsys.at(0)?.path ?? '';
    const out = join(folder, 'one.parquet');
    expect(run('export', path, '--to', 'parquet', '-o', out).status).toBe(0);
    const rows = await rowsOf(out);
    const expected = await queried(path);
    for (const {name: table, columns} of sqlTables) {
      const inTable = rows.filter(row => row['table'] === table);
      const narrow = inTable.map(row => Object.fromEntries(columns.map(({name}) => [name, row[name]])));
      expect([table, texts(narrow)]).toEqual([table, expected.get(table)]);
    }
  });

  it('can put all tables into one, since columns of one name have one type', () => {
    const types = new Map<string, Set<string>>();
    for (const {name, type} of sqlTables.flatMap(({columns}) => columns)) {
      const known = types.get(name) ?? new Set();
      types.set(name, known.add(type === 'name' ? 'text' : type));
    }
    expect([...types].filter(([, found]) => found.size > 1)).toEqual([]);
  });

  it('takes no selection, and says where it cannot write', () => {
    const path = own.kineto.at(0)?.path ?? '';
    const out = join(folder, 'selected');
    expect(run('export', path, '--to', 'parquet', '--window', '1:2ms', '-o', out)).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('takes no selection') as string,
    });
    expect(existsSync(out)).toBe(false);
    expect(run('export', path, '--to', 'parquet', '-o', join(path, 'below'))).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('cannot be made') as string,
    });
  });
});
