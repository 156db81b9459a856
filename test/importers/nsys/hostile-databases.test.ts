import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {basename, dirname, join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it, onTestFinished} from 'vitest';
import {TraceError} from '../../../src/core/base/errors.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {gpuSummary} from '../../../src/core/questions/info.js';
import {kindIndex} from '../../../src/core/trace/slices.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {opened} from '../../support/opened-file.js';
import {project, temporaryFolder} from '../../support/project.js';
import {checkFile} from '../../fuzz/check-file.js';

const folder = temporaryFolder();
const kernel = 'CUPTI_ACTIVITY_KIND_KERNEL';

/** A worked export, alone in a folder of its own. */
function database(sql = ''): string {
  const own = join(folder, String(readdirSync(folder).length));
  mkdirSync(own);
  return writeNsysDatabase(join(own, 'worked.sqlite'), sql);
}

const noteOf = (trace: Trace, code: string) => trace.notes.find(note => note.code === code)?.text;
const beside = (path: string) => readdirSync(dirname(path)).filter(name => name !== basename(path));

/** Replaces the table of kernels by what `sql` makes under its name from `old`, the table that was there. */
const instead = (sql: string) => `alter table ${kernel} rename to old; ${sql}`;
const endlessView = instead(`create view ${kernel} as with recursive c(x) as (select 1 union all select x + 1 from c)
  select x start, x + 1 "end", 0 deviceId, 0 streamId from c`);

describe('openTrace(database) takes what is there', () => {
  const whole = 14;
  const cases: readonly (readonly [what: string, sql: string, slices: number, unread: string | undefined])[] = [
    ['an endless view', endlessView, whole - 2, `${kernel} (not an ordinary table)`],
    [
      'a virtual table',
      instead(`create virtual table ${kernel} using fts5(start, "end", deviceId, streamId)`),
      whole - 2,
      `${kernel} (not an ordinary table)`,
    ],
    ['no table', `drop table ${kernel}`, whole - 2, undefined],
    [
      'a table without a column',
      `alter table ${kernel} drop column streamId`,
      whole - 2,
      `${kernel} (without streamId)`,
    ],
    [
      'a table without row ids',
      instead(`create table ${kernel} (start primary key, "end", deviceId, streamId) without rowid`),
      whole - 2,
      `${kernel} (without row ids)`,
    ],
    [
      'a column called rowid',
      instead(`create table ${kernel} as select 'x' rowid, start, "end", deviceId, streamId from old`),
      whole - 2,
      `${kernel} (without row ids)`,
    ],
    ['a computed column of 500 MB', `alter table ${kernel} add column x as (zeroblob(500000000))`, whole, undefined],
    ['triggers', `create trigger t before insert on StringIds begin delete from ${kernel}; end`, whole, undefined],
    ['texts in place of numbers', `update ${kernel} set start = 'soon', streamId = x'00'`, whole - 2, undefined],
    ['the largest numbers', `update ${kernel} set correlationId = ${String(2n ** 63n - 1n)}`, whole, undefined],
    ['absurd times', `update ${kernel} set "end" = ${String(2n ** 63n - 1n)}`, whole - 2, undefined],
    [
      'numbers and nothing as names',
      'update StringIds set value = 5; delete from StringIds where id = 2',
      whole,
      undefined,
    ],
    [
      'control characters in names',
      "update StringIds set value = char(27) || '[2J' || char(0, 10, 8238)",
      whole,
      undefined,
    ],
  ];

  it.each(cases)('where there is %s', async (_what, sql, slices, unread) => {
    const path = database(sql);
    const before = readFileSync(path);
    const trace = await openTrace(path);
    expect(trace.slices.length).toBe(slices);
    expect(noteOf(trace, 'tables/unread')).toBe(unread && `Not read: ${unread}.`);
    expect(await checkFile(path, true)).toBeNull();
    for (let slice = 0; slice < slices; slice++) await readSliceArguments(await opened(path), trace, slice);
    expect(beside(path)).toEqual([]);
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

it('openTrace(database) reads all rows, however many a file says that it has', async () => {
  const path = database(`
    drop table if exists CUPTI_ACTIVITY_KIND_MEMSET;
    create table CUPTI_ACTIVITY_KIND_MEMSET as select 0.5 rowid;
    insert into ${kernel} (rowid, start, "end", deviceId, streamId)
      with recursive c(x) as (select 1 union all select x + 1 from c where x < 5000)
      select -x, 10000 + 10 * x, 10005 + 10 * x, 0, 7 from c`);
  const {gpuOperations, counts, spanNs} = await openTrace(path);
  expect([gpuOperations.length, counts.kernels]).toEqual([5004, 5002]);
  expect(spanNs).toBeGreaterThanOrEqual(50_000);
});

it.each(['1099511627786', '-10', 'null', "'text'"])(
  'openTrace(database) shows the work of device %s on GPU 0, with a note',
  async device => {
    const usual = await openTrace(database());
    const trace = await openTrace(database(`update ${kernel} set deviceId = ${device}`));
    const {slices, gpuOperations} = trace;
    const isKernel = (row: number) => slices.kind[gpuOperations.slice[row] ?? -1] === kindIndex.kernel;
    const ofKernels = [...gpuOperations.device].filter((_, row) => isKernel(row));
    expect(ofKernels).toEqual([0, 0]);
    expect(trace.devices.map(({id}) => id)).toEqual([0, 1]);
    expect(gpuSummary(trace).workNs).toBe(gpuSummary(usual).workNs);
    expect(noteOf(trace, 'gpu/device')).toBeDefined();
    expect(noteOf(usual, 'gpu/device')).toBeUndefined();
  },
);

it.each(['CUPTI_ACTIVITY_KIND_SYNCHRONIZATION', 'CUDA_GPU_MEMORY_USAGE_EVENTS', 'CUDA_UM_GPU_PAGE_FAULT_EVENTS'])(
  'openTrace(database) shows rows of %s on GPU 0 where they have no possible device',
  async table => {
    const events = readFileSync(join(project, 'test', 'fixtures', 'nsys', 'events.sql'), 'utf8');
    const onHost = ({tracks}: Trace) => tracks.filter(({device}) => device === -1).map(({name}) => name);
    const usual = await openTrace(database(events));
    expect(noteOf(usual, 'gpu/device')).toBeUndefined();
    for (const device of ['null', '-10', '1099511627777']) {
      const path = database(`${events}; update ${table} set deviceId = ${device}`);
      const trace = await openTrace(path);
      expect(onHost(trace)).toEqual(onHost(usual));
      expect(noteOf(trace, 'gpu/device')).toBeDefined();
      expect(await checkFile(path, true)).toBeNull();
    }
  },
);

it('openTrace(database) names no device that cannot be one', async () => {
  const none = ['KERNEL', 'MEMCPY', 'GRAPH_TRACE'].map(kind => `delete from CUPTI_ACTIVITY_KIND_${kind};`).join('');
  const gpus =
    "delete from TARGET_INFO_GPU; insert into TARGET_INFO_GPU (id, name) values (2, 'T'), (null, 'A'), ('x', 'B'), (-1, 'C')";
  const {devices} = await openTrace(database(`${none} ${gpus}`));
  expect(devices).toEqual([{id: 2, name: 'T'}]);
});

it('openTrace(database) passes over a column whose name is no UTF-8', async () => {
  const path = database(`alter table ${kernel} add column wrongly_spelled default 7`);
  const bytes = readFileSync(path);
  bytes[bytes.indexOf('wrongly_spelled')] = 0xff;
  writeFileSync(path, bytes);
  const trace = await openTrace(path);
  const of = async (slice: number) =>
    (await readSliceArguments(await opened(path), trace, slice)).map(({name}) => name);
  const names = (await Promise.all(Array.from({length: trace.slices.length}, (_, slice) => of(slice)))).flat();
  expect(names).toContain('streamId');
  expect(names.filter(name => name.includes('rongly'))).toEqual([]);
});

describe('openTrace(database) that another program has open', () => {
  /** Runs a program that uses the database as `db`, up to the first line that it prints. */
  async function another(path: string, source: string): Promise<void> {
    const driver = join(project, 'node_modules', 'better-sqlite3');
    const program = `const db = new (require(${JSON.stringify(driver)}))(${JSON.stringify(path)}, {timeout: 5000}); ${source}`;
    const child = spawn(process.execPath, ['-e', program], {stdio: ['ignore', 'pipe', 'inherit']});
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    await once(child.stdout, 'data');
  }
  const wait = 'setInterval(() => {}, 1000)';
  /** better-sqlite3 waits so long for another program, unless it is told otherwise. */
  const usualPatienceMs = 5000;

  it('says soon that it is locked', async () => {
    const path = database();
    await another(path, `db.exec('begin exclusive'); console.log(); ${wait}`);
    const tookMs: number[] = [];
    // On a busy machine one of them may have to wait for its turn.
    for (let tries = 0; tries < 3; tries++) {
      const start = performance.now();
      await expect(openTrace(path)).rejects.toMatchObject({
        code: 'file/locked',
        message: 'worked.sqlite is locked: another program is writing it. Open it again when that program has ended.',
      });
      tookMs.push(performance.now() - start);
    }
    expect(tookMs.toSorted((a, b) => a - b)[1]).toBeLessThan(usualPatienceMs);
  });

  it('reads one state of it while it changes', async () => {
    const path = database();
    const tables = [kernel, 'CUPTI_ACTIVITY_KIND_MEMCPY'];
    const change = tables.map(table => `update ${table} set "end" = "end" + 1`).join(';');
    await another(
      path,
      // It does not wait for the disk, so that readers, who wait 250 ms for a lock, get their turn.
      `console.log(); db.pragma('synchronous = off'); const pause = new Int32Array(new SharedArrayBuffer(4));
      for (;;) { db.exec('begin immediate; ${change}; commit'); Atomics.wait(pause, 0, 0, 2); }`,
    );
    const first = await retried(path);
    let opened = 0;
    for (let i = 0; i < 50; i++) {
      const trace = await openTrace(path).catch((error: unknown) => error);
      if (error(trace) === 'file/locked') continue;
      opened++;
      const grown = (slice: (trace: Trace) => number) => slice(trace as Trace) - slice(first);
      expect(grown(durationOf('kernel'))).toBe(grown(durationOf('memcpy')));
    }
    expect(opened).toBeGreaterThan(0);
  });

  it('reads what a write-ahead log holds, locked or not, and leaves its files alone', async () => {
    const path = database();
    const insert = `insert into ${kernel} select * from ${kernel} limit 1`;
    await another(
      path,
      `db.pragma('journal_mode = wal'); db.exec('${insert}'); db.exec('begin exclusive'); console.log(); ${wait}`,
    );
    const files = beside(path);
    expect((await openTrace(path)).counts.kernels).toBe(3);
    expect(beside(path)).toEqual(files);
  });

  it('leaves nothing beside a file in write-ahead mode, in a folder that nobody may write to', async () => {
    const path = database();
    const db = new Database(path);
    db.pragma('journal_mode = wal');
    db.close();
    chmodSync(dirname(path), 0o555);
    onTestFinished(() => {
      chmodSync(dirname(path), 0o755);
    });
    expect((await openTrace(path)).counts.kernels).toBe(2);
    expect(beside(path)).toEqual([]);
  });

  it('says that a journal is still beside it', async () => {
    const path = database();
    const db = new Database(path);
    db.pragma('cache_size = 1');
    db.exec(`begin; create table x (y); insert into x select zeroblob(1000) from ${kernel}, StringIds a, StringIds b`);
    const copy = join(dirname(path), 'copy.sqlite');
    copyFileSync(`${path}-journal`, `${copy}-journal`);
    copyFileSync(path, copy);
    db.close();
    await expect(openTrace(copy)).rejects.toMatchObject({
      code: 'import/damaged',
      message: 'copy.sqlite is incomplete: the journal of the program that wrote it is still beside it.',
    });
  });

  async function retried(path: string): Promise<Trace> {
    for (;;) {
      const trace = await openTrace(path).catch(() => null);
      if (trace) return trace;
    }
  }
  const error = (result: unknown) => (result instanceof TraceError ? result.code : null);
  const durationOf = (name: string) => (trace: Trace) => {
    const row = trace.slices.name.findIndex(index =>
      trace.strings.get(index).includes(name === 'kernel' ? 'gemm' : name),
    );
    return trace.slices.durationNs[row] ?? NaN;
  };
});

describe('openTrace(database) that is cut off or damaged', () => {
  const whole = readFileSync(database());

  it('shows the rows before the cut, with a note, or says in one sentence that there are none', async () => {
    const path = join(folder, 'cut.sqlite');
    const found = new Map<string, number>();
    let least = 0;
    for (let length = 1; length < whole.length; length += 97) {
      writeFileSync(path, whole.subarray(0, length));
      const trace = await openTrace(path).catch((reason: unknown) => reason as TraceError);
      const code = 'slices' in trace ? noteOf(trace, 'file/truncated')?.slice(0, 16) : trace.code;
      found.set(String(code), (found.get(String(code)) ?? 0) + 1);
      const slices = 'slices' in trace ? trace.slices.length : 0;
      // A page more can only show more, but that its rows are whole only with the page: they count as invalid till then.
      expect(slices).toBeGreaterThanOrEqual(least - 1);
      least = Math.max(least, slices);
    }
    expect([...found.keys()].sort()).toEqual(['The file is cut ', 'import/damaged', 'import/unknown-format']);
    expect(least).toBe(14);
  });

  it('shows the tables before a damaged page, and names the one that is damaged', async () => {
    const path = join(folder, 'damaged.sqlite');
    const db = new Database(database());
    const root = db.prepare<[], number>("select rootpage from sqlite_master where name = 'NVTX_EVENTS'").pluck().get();
    db.close();
    writeFileSync(path, Buffer.from(whole).fill(0xff, ((root ?? 1) - 1) * 4096, (root ?? 1) * 4096));
    const trace = await openTrace(path);
    expect(trace.counts).toMatchObject({kernels: 2, ranges: 0});
    expect(noteOf(trace, 'file/damaged')).toBe('Damaged, and shown up to the damage: NVTX_EVENTS.');
  });
});
