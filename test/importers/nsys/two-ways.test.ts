import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import type {Trace} from '../../../src/core/trace/trace.js';
import {readFileHead} from '../../../src/importers/file-head.js';
import {readNsys} from '../../../src/importers/nsys/import-nsys.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {NotPlain} from '../../../src/importers/sqlite/not-plain.js';
import {plainTrace} from '../../support/plain-trace.js';
import {project, temporaryFolder} from '../../support/project.js';
import {dataFiles, hasData} from '../../support/real-data.js';

const folder = temporaryFolder();
const worked = readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8');

const read = async (path: string, way: 'pages' | 'sql'): Promise<Trace> => readNsys(await readFileHead(path), {}, way);

function database(name: string, change: string): string {
  const path = join(folder, name);
  const db = new Database(path);
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
    expect(plainTrace(await read(path, 'pages'))).toEqual(plainTrace(await read(path, 'sql')));
  });

  it('reads rows of any type through SQLite, each once', async () => {
    const odd = `insert into OSRT_API (start, "end", globalTid, nameId) select 100, 'x', globalTid, nameId from OSRT_API limit 1;
      insert into CUPTI_ACTIVITY_KIND_RUNTIME (start, "end", globalTid, nameId, eventClass) values (7000, 7100, 'who', 1, 0)`;
    const path = database('odd.sqlite', odd);
    await expect(read(path, 'pages')).rejects.toBeInstanceOf(NotPlain);
    const trace = await openTrace(path);
    expect(trace.counts).toMatchObject({kernels: 2, apiCalls: 5, ranges: 5});
    expect(plainTrace(trace)).toEqual(plainTrace(await read(path, 'sql')));
  });
});

describe.skipIf(!hasData)('readNsys(file, options, way) of real exports', () => {
  it.each(dataFiles('nsys', '.sqlite'))('$name is the same trace from its pages and through SQLite', async ({path}) => {
    expect(plainTrace(await read(path, 'pages'))).toEqual(plainTrace(await read(path, 'sql')));
  });
});
