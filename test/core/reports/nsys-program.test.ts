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
const hasNsys2022 = version.error === undefined && version.stdout.includes('version 2022.4');
if (!hasNsys2022) console.warn('Skipped: there is no nsys 2022.4 on PATH to compare reports with.');

type Row = Readonly<Record<string, string>>;

/** Headers that this version writes in its own way, without regard to spaces and capitals. */
const headersOf2022: Readonly<Record<string, Row>> = {openaccsum: {numcalls: 'count'}};

/** What later versions of nsys call otherwise, or what ours says otherwise by intention: docs/metrics.md. */
const inWordsOf2022 = (oldId: string, row: Row): Row =>
  Object.fromEntries(
    Object.entries(row)
      .filter(([key]) => key !== 'Throughput (MBps)')
      .map(([key, text]) => [
        headersOf2022[oldId]?.[plain(key)] ?? plain(key),
        text
          .replace('CUDA Unified Memory memcpy', 'CUDA memcpy Unified')
          .replace('Host-to-Device', 'HtoD')
          .replace('Device-to-Host', 'DtoH')
          .replace(/^$/, 'None')
          // Where there was no fault or migration nsys has no number.
          .replace(/^0(\.000)?$/, number => (oldId === 'unifiedmemory' ? 'None' : number)),
      ]),
  );

const plain = (header: string) => header.toLowerCase().replaceAll(' ', '');

const comparable = (oldId: string, rows: readonly Row[]) =>
  rows.map(row => JSON.stringify(inWordsOf2022(oldId, row))).sort();

describe.skipIf(!hasNsys2022)('reports beside nsys itself', () => {
  const folder = temporaryFolder();
  const named = reportDefinitions.flatMap(({id, oldId}) => (oldId === null ? [] : [{id, oldId}]));

  it.each([
    ['reports.sql', ['reports.sql']],
    ['beside.sql', ['reports.sql', 'beside.sql']],
  ])('are equal, row by row and column by column, of %s', async (name, fixtures) => {
    const path = join(folder, `${name}.sqlite`);
    const db = new Database(path);
    for (const fixture of fixtures) db.exec(readFileSync(join(project, 'test', 'fixtures', 'nsys', fixture), 'utf8'));
    db.close();
    const ids = named.map(({oldId}) => oldId).join();
    spawnSync('nsys', ['stats', '-r', ids, '--format', 'csv', '-o', join(folder, name), path]);
    const ours = await reportsOfFile(
      path,
      named.map(({id}) => id),
    );
    for (const [at, {id, oldId}] of named.entries()) {
      const printed = join(folder, `${name}_${oldId}.csv`);
      // nsys writes no file of a report whose tables are absent.
      const theirs = existsSync(printed) ? readCsv(readFileSync(printed, 'utf8')) : [];
      const rows = ours[at] ? textRows(ours[at]) : [];
      expect([id, comparable(oldId, rows)]).toEqual([id, comparable(oldId, theirs)]);
      // Between the two databases there are rows of every report.
      expect([id, fixtures.length === 1 || rows.length > 0]).toEqual([id, true]);
    }
    expect(named.length).toBe(24);
  });
});
