import Database from 'better-sqlite3';
import {describe, expect} from 'vitest';
import {instantKinds, type InstantKind} from '../../../src/core/trace/instants.js';
import {sliceKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readInstantArguments} from '../../../src/importers/slice-arguments.js';
import {opened} from '../../support/opened-file.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, hasData} from '../../support/real-data.js';

/** The rows of a query; none where the export has no such table. */
function ask<Row extends unknown[]>(db: Database.Database, table: string, sql: string): Row[] {
  const isThere = db.prepare("select 1 from sqlite_master where type = 'table' and name = ?").get(table) !== undefined;
  return isThere ? (db.prepare(sql).raw().all() as Row[]) : [];
}

const count = (db: Database.Database, table: string, where = '1'): number =>
  ask<[number]>(db, table, `select count(*) from ${table} where ${where}`)[0]?.[0] ?? 0;

function slices({slices: {startNs, durationNs, kind, length}, originNs}: Trace, of: SliceKind): [number, number][] {
  const found: [number, number][] = [];
  for (let row = 0; row < length; row++) {
    if (sliceKinds[kind[row] ?? -1] !== of) continue;
    const start = (startNs[row] ?? NaN) + Number(originNs);
    found.push([start, start + (durationNs[row] ?? NaN)]);
  }
  return found.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
}

const instantCount = ({instants}: Trace, of: InstantKind): number =>
  instants.kind.reduce((sum, kind) => sum + (instantKinds[kind] === of ? 1 : 0), 0);

describe.skipIf(!hasData)('real exports of Nsight Systems', () => {
  const files = dataFiles('nsys', '.sqlite');

  itEachFile(files)('$name has every event that SQL counts', async ({path}) => {
    const trace = await openTrace(path);
    const db = new Database(path, {readonly: true});
    const intervals = (table: string) =>
      ask<[number, number]>(db, table, `select start, "end" from ${table} order by start, "end"`);
    expect(slices(trace, 'cuda_sync')).toEqual(intervals('CUPTI_ACTIVITY_KIND_SYNCHRONIZATION'));
    const overhead = [...intervals('PROFILER_OVERHEAD'), ...intervals('CUPTI_ACTIVITY_KIND_OVERHEAD')];
    expect(slices(trace, 'overhead')).toEqual(overhead.sort((a, b) => a[0] - b[0] || a[1] - b[1]));
    // In these files each thread's switches come in pairs, so that SQL can pair them.
    const running = ask<[number, number]>(
      db,
      'SCHED_EVENTS',
      `select start, "end" from (select start, isSchedIn, lead(start) over (partition by globalTid order by start) as "end"
        from SCHED_EVENTS) where isSchedIn = 1 order by start, "end"`,
    );
    expect(slices(trace, 'thread_running')).toEqual(running);
    expect(instantCount(trace, 'cpu_sample')).toBe(count(db, 'COMPOSITE_EVENTS'));
    expect(instantCount(trace, 'nvtx_mark')).toBe(count(db, 'NVTX_EVENTS', 'eventType in (34, 65)'));
    expect(trace.counterSamples.length).toBe(count(db, 'GPU_METRICS') + count(db, 'CUDA_GPU_MEMORY_USAGE_EVENTS'));
    db.close();
  });

  itEachFile(files)('$name has nothing left but what its note names', async ({name, path}) => {
    const note = (await openTrace(path)).notes.find(({code}) => code === 'tables/not-shown')?.text;
    const isKnown = name === 'cs336-2.7b-a100.sqlite';
    expect(note).toBe(isKnown ? 'Recorded, but not shown: CUDA event records.' : undefined);
  });

  itEachFile(files)('$name names CPU samples by their leaf function, in the order of time', async ({path}) => {
    const trace = await openTrace(path);
    const {instants, strings} = trace;
    const db = new Database(path, {readonly: true});
    const expected = ask<[number, string]>(
      db,
      'COMPOSITE_EVENTS',
      `select c.start, s.value from COMPOSITE_EVENTS c join SAMPLING_CALLCHAINS l on l.id = c.id and l.stackDepth = 0
        join StringIds s on s.id = l.symbol order by c.start, c.id`,
    );
    const samples = instantKinds.indexOf('cpu_sample');
    const found: [number, string][] = [];
    for (let row = 0; row < instants.length; row++) {
      if (instants.kind[row] !== samples) continue;
      found.push([(instants.atNs[row] ?? NaN) + Number(trace.originNs), strings.get(instants.name[row] ?? -1)]);
    }
    expect(found).toEqual(expected);
    const first = instants.kind.indexOf(samples);
    if (first >= 0) {
      const chain = (await readInstantArguments(await opened(path), trace, first)).find(
        ({name}) => name === 'call chain',
      );
      expect(chain?.value.startsWith(expected[0]?.[1] ?? '?')).toBe(true);
    }
    db.close();
  });

  itEachFile(files)('$name calls each synchronisation what the API call that waits is called', async ({path}) => {
    const db = new Database(path, {readonly: true});
    const calls = ask<[number, number, string]>(
      db,
      'CUPTI_ACTIVITY_KIND_SYNCHRONIZATION',
      `select y.start, y."end", s.value from CUPTI_ACTIVITY_KIND_SYNCHRONIZATION y
        join CUPTI_ACTIVITY_KIND_RUNTIME r on r.correlationId = y.correlationId and r.globalTid >> 24 = y.globalPid >> 24
        join StringIds s on s.id = r.nameId`,
    );
    db.close();
    const trace = await openTrace(path);
    const nameAt = new Map<string, string>();
    for (let row = 0; row < trace.slices.length; row++) {
      if (sliceKinds[trace.slices.kind[row] ?? -1] !== 'cuda_sync') continue;
      const start = (trace.slices.startNs[row] ?? NaN) + Number(trace.originNs);
      const end = start + (trace.slices.durationNs[row] ?? NaN);
      nameAt.set(`${String(start)} ${String(end)}`, trace.strings.get(trace.slices.name[row] ?? -1));
    }
    for (const [start, end, call] of calls) {
      expect([call, nameAt.get(`${String(start)} ${String(end)}`)]).toEqual([call, expectedName(call)]);
    }
  });
});

function expectedName(call: string): string {
  if (call.startsWith('cudaStreamWaitEvent')) return 'Stream wait event';
  if (call.startsWith('cudaEvent')) return 'Event sync';
  return call.startsWith('cudaStream') ? 'Stream sync' : 'Context sync';
}
