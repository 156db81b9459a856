import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {detailKinds, type ReportDetails} from '../../../src/core/figures/report-details.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {readFileHead} from '../../../src/importers/reading/file-head.js';
import {readNsys} from '../../../src/importers/nsys/import-nsys.js';
import {readDetails} from '../../../src/importers/nsys/read-report-details.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {NotPlain} from '../../../src/importers/sqlite/not-plain.js';
import {expectSame} from '../../support/expect-same.js';
import {plainTrace} from '../../support/plain-trace.js';
import {project, temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();
const worked = readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8');

const read = async (path: string, way: 'pages' | 'sql'): Promise<Trace> => readNsys(await readFileHead(path), {}, way);

function database(name: string, change: string, pageBytes = 4096): string {
  const path = join(folder, name);
  const db = new Database(path);
  db.pragma(`page_size = ${String(pageBytes)}`);
  db.exec(worked);
  db.exec(change);
  db.close();
  return path;
}

describe('readNsys(file, options, way)', () => {
  it.each([
    ['as it is', ''],
    ['with ranges of a domain in another process', "update NVTX_EVENTS set domainId = 1 where text = 'step'"],
    ['with a thread that is not told', 'update CUPTI_ACTIVITY_KIND_RUNTIME set globalTid = null'],
    ['with an operation of no process', 'update CUPTI_ACTIVITY_KIND_KERNEL set globalPid = null'],
    ['without API calls', 'delete from CUPTI_ACTIVITY_KIND_RUNTIME'],
    ['with an id of many digits', "insert into StringIds values (9000000000, 'far'), (-4, 'below')"],
  ])('gives the same trace of a small export %s', async (what, change) => {
    const path = database(`${what}.sqlite`, change);
    expectSame(plainTrace(await read(path, 'pages')), plainTrace(await read(path, 'sql')));
  });

  it('reads rows of any type through SQLite, each once', async () => {
    const odd = `insert into OSRT_API (start, "end", globalTid, nameId) select 100, 'x', globalTid, nameId from OSRT_API limit 1;
      insert into CUPTI_ACTIVITY_KIND_RUNTIME (start, "end", globalTid, nameId, eventClass) values (7000, 7100, 'who', 1, 0)`;
    const path = database('odd.sqlite', odd);
    await expect(read(path, 'pages')).rejects.toBeInstanceOf(NotPlain);
    const trace = await openTrace(path);
    expect(trace.counts).toMatchObject({kernels: 2, apiCalls: 5, ranges: 5});
    expectSame(plainTrace(trace), plainTrace(await read(path, 'sql')));
  });
});

describe('openTrace(nsys export) ends', () => {
  it.each([
    ['StringIds', "(id, value) select i + 100, 'text' || i from n"],
    ['NVTX_EVENTS', '(start, "end", eventType, text) select i, i, 59, i from n'],
  ])('where the pages of %s lead to one another without end', async (table, values) => {
    const [columns = '', select = ''] = values.split(' select ');
    const rows = 'with recursive n (i) as (select 1 union all select i + 1 from n where i < 60000)';
    const path = database(`${table}.sqlite`, `insert into ${table} ${columns} ${rows} select ${select}`, 512);
    const bytes = readFileSync(path);
    const db = new Database(path, {readonly: true});
    const root = db.prepare<[string], number>('select rootpage from sqlite_master where name = ?').pluck().get(table);
    db.close();
    leadToOneAnother(bytes, root ?? 0);
    writeFileSync(path, bytes);
    const {notes} = await openTrace(path);
    expect(notes.find(({code}) => code === 'file/damaged')?.text).toContain(table);
  });
});

/** Makes ten interior pages of a tree lead to the next alone, by each of their children: few pages hold endless rows. */
function leadToOneAnother(bytes: Buffer, root: number): void {
  const at = (page: number) => (page - 1) * 512;
  const cellsOf = (page: number) =>
    Array.from({length: bytes.readUInt16BE(at(page) + 3)}, (_, cell) => {
      return at(page) + bytes.readUInt16BE(at(page) + 12 + 2 * cell);
    });
  const pages = Array.from({length: bytes.length / 512 - 1}, (_, index) => index + 2);
  const chain = [root, ...pages.filter(page => bytes[at(page)] === 5 && page !== root).slice(-9)];
  expect(chain).toHaveLength(10);
  chain.slice(0, -1).forEach((page, index) => {
    for (const cell of [...cellsOf(page), at(page) + 8]) bytes.writeUInt32BE(chain[index + 1] ?? 0, cell);
  });
}

describe.skipIf(!hasData)('readNsys(file, options, way) of real exports', () => {
  itEachFile(dataFiles('nsys', '.sqlite'))(
    '$name is the same trace from its pages and through SQLite',
    async ({path}) => {
      expectSame(plainTrace(await read(path, 'pages')), plainTrace(await read(path, 'sql')));
    },
  );
});

describe.skipIf(!hasData)('readDetails(file, trace, wanted, way)', () => {
  const wanted = new Set(detailKinds);

  itEachFile(dataFiles('nsys', '.sqlite'))('$name has the same details either way', async ({path}) => {
    const file = await readFileHead(path);
    const trace = await openTrace(path);
    const [pages, sql] = (['pages', 'sql'] as const).map(way => plainDetails(readDetails(file, trace, wanted, way)));
    expect(pages).toEqual(sql);
  });

  function plainDetails({operations, ...others}: ReportDetails): unknown {
    const names = operations && Array.from({length: operations.strings.length}, (_, at) => operations.strings.get(at));
    return {...others, operations: operations && {table: operations.table, names}};
  }
});
