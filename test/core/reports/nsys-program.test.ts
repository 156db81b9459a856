import {spawnSync} from 'node:child_process';
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {reportDefinitions} from '../../../src/core/reports/reports.js';
import {reportsOfFile, textRows} from '../../support/make-report.js';
import {project, temporaryFolder} from '../../support/project.js';
import {readCsv} from '../../support/read-csv.js';

/** The names that reports have in this version are those of up to 2022.4. */
const version = spawnSync('nsys', ['--version'], {encoding: 'utf8'});
const hasNsys = version.error === undefined && version.stdout.includes('version 2022.4');
if (!hasNsys) console.warn('Skipped: there is no nsys 2022.4 on PATH to compare reports with.');

type Row = Readonly<Record<string, string>>;

/** What later versions of nsys call otherwise, or what ours says otherwise by intention: docs/metrics.md. */
const inWordsOf2022 = (row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => key !== 'Throughput (MBps)')
      .map(([key, text]) => [
        key,
        text.replace('Host-to-Device', 'HtoD').replace('Device-to-Host', 'DtoH').replace(/^$/, 'None'),
      ]),
  );

const comparable = (rows: readonly Row[]) => rows.map(row => JSON.stringify(inWordsOf2022(row))).sort();

describe.skipIf(!hasNsys)('reports beside nsys itself', () => {
  const folder = temporaryFolder();
  const path = join(folder, 'reports.sqlite');
  const named = reportDefinitions.filter(({oldId}) => oldId !== null);
  const printed = (oldId: string | null) => join(folder, `reports_${oldId ?? ''}.csv`);

  it('are equal, row by row and column by column', async () => {
    const db = new Database(path);
    db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', 'reports.sql'), 'utf8'));
    db.close();
    const ids = named.map(({oldId}) => oldId).join();
    spawnSync('nsys', ['stats', '-r', ids, '--format', 'csv', '-o', join(folder, 'reports'), path]);
    const ours = await reportsOfFile(
      path,
      named.map(({id}) => id),
    );
    expect(named.length).toBe(16);
    for (const [at, {id, oldId}] of named.entries()) {
      expect(existsSync(printed(oldId)), oldId ?? '').toBe(true);
      const rows = ours[at] ? textRows(ours[at]) : [];
      expect([id, comparable(rows)]).toEqual([id, comparable(readCsv(readFileSync(printed(oldId), 'utf8')))]);
    }
  }, 60_000);
});
