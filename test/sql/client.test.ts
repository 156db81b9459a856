import {existsSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, describe, expect, it} from 'vitest';
import {storyOf} from '../../src/core/base/errors.js';
import {SqlClient, type QueryOptions} from '../../src/sql/client.js';
import type {ProfileSource, SqlCell} from '../../src/sql/messages.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {project, temporaryFolder} from '../support/project.js';

const folder = temporaryFolder();
const path = join(folder, 'trace.json');
writeFileSync(path, kinetoText([kineto.range('step', 0, 100), kineto.call(9, 20, 5), kineto.kernel(9, 30, 40)]));
const source: ProfileSource = {path, cache: null, cacheProgram: null};
const endless = 'WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT max(x) FROM a';

const clients: SqlClient[] = [];
const client = () => {
  const created = new SqlClient(join(project, 'dist', 'sql.cjs'));
  clients.push(created);
  return created;
};
afterAll(() => {
  for (const one of clients) one.dispose();
});

async function rowsOf(of: SqlClient, sql: string, options: Partial<QueryOptions> = {}, from = source) {
  const rows: (readonly SqlCell[])[] = [];
  const end = await of.query(from, sql, {
    onColumns: () => undefined,
    onRows: batch => {
      rows.push(...batch);
    },
    ...options,
  });
  return {rows, end};
}

describe('SqlClient.query(source, sql)', () => {
  it('answers one query after another from one process', async () => {
    const own = client();
    expect((await rowsOf(own, 'SELECT range_path, duration_ns FROM kernels')).rows).toEqual([['step', 40_000]]);
    expect(own.isRunning).toBe(true);
    expect((await rowsOf(own, 'SELECT count(*) FROM slices')).rows).toEqual([[3]]);
  });

  it('keeps what a process said that died, for the log and not in the sentence', async () => {
    const program = join(folder, 'dying.cjs');
    writeFileSync(program, "process.on('message', () => { throw new TypeError('no such page'); });");
    const dying = new SqlClient(program);
    clients.push(dying);
    const error = await rowsOf(dying, 'SELECT 1').catch((reason: unknown) => reason);
    expect(error).toMatchObject({code: 'sql/failed', message: 'The process that runs queries has stopped.'});
    expect(storyOf(error)).toContain('TypeError: no such page');
    expect(storyOf(error)).toContain('dying.cjs:1');
  });

  it('goes on after a query that failed', async () => {
    const own = client();
    await expect(rowsOf(own, 'SELECT nothing FROM kernels')).rejects.toMatchObject({code: 'sql/error'});
    await expect(rowsOf(own, 'DROP TABLE _slices')).rejects.toMatchObject({code: 'sql/not-allowed'});
    expect((await rowsOf(own, 'SELECT 1')).rows).toEqual([[1]]);
  });

  it('kills a query that never ends when it is cancelled, and answers the next', async () => {
    const own = client();
    // From then on the process has the trace, and runs the next query at once.
    await rowsOf(own, 'SELECT 1');
    const cancel = new AbortController();
    setTimeout(() => {
      cancel.abort();
    }, 500);
    await expect(rowsOf(own, endless, {signal: cancel.signal})).rejects.toMatchObject({code: 'sql/cancelled'});
    expect((await rowsOf(own, 'SELECT 1')).rows).toEqual([[1]]);
  });

  it('sends no more rows than are taken', async () => {
    const own = client();
    let batches = 0;
    const cancel = new AbortController();
    const rows = 'WITH RECURSIVE a(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM a) SELECT x FROM a';
    const waits = rowsOf(own, rows, {
      signal: cancel.signal,
      onRows: () => {
        if (++batches < 3) return undefined;
        setTimeout(() => {
          cancel.abort();
        }, 300);
        return new Promise(() => undefined);
      },
    });
    await expect(waits).rejects.toMatchObject({code: 'sql/cancelled'});
    expect(batches).toBe(3);
  });

  it('ends a query that takes too much memory', async () => {
    const rows =
      'WITH RECURSIVE a(x, y) AS (VALUES (1, 1) UNION SELECT x + 1, zeroblob(10000) FROM a) SELECT count(*) FROM a';
    await expect(rowsOf(client(), rows, {}, {...source, memoryLimitBytes: 400e6})).rejects.toMatchObject({
      code: 'sql/out-of-memory',
    });
  });

  it('says why a profile cannot be read', async () => {
    const missing = {...source, path: join(folder, 'none.json')};
    await expect(rowsOf(client(), 'SELECT 1', {}, missing)).rejects.toMatchObject({code: 'file/missing'});
    const own = client();
    mkdirSync(join(folder, 'empty'), {recursive: true});
    await expect(rowsOf(own, 'SELECT 1', {}, {...source, path: join(folder, 'empty')})).rejects.toMatchObject({
      code: 'file/directory',
    });
  });

  it('says that a file is another than the one that is meant', async () => {
    const other = {...source, stamp: '1 2'};
    await expect(rowsOf(client(), 'SELECT 1', {}, other)).rejects.toMatchObject({code: 'file/changed'});
  });

  it('writes nothing beside the profile', async () => {
    const target = join(folder, 'written.db');
    for (const sql of [`ATTACH '${target}' AS a`, `VACUUM INTO '${target}'`, `SELECT writefile('${target}', 'x')`]) {
      await expect(rowsOf(client(), sql)).rejects.toMatchObject({code: expect.stringMatching(/^sql\//) as string});
    }
    expect(existsSync(target)).toBe(false);
  });
});
