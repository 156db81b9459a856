import {copyFileSync, existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {traceInfo} from '../../../src/core/questions/info.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {project, temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const worked = readFileSync(join(project, 'test', 'fixtures', 'nsys', 'worked.sql'), 'utf8');

const gpuTables = ['KERNEL', 'MEMCPY', 'GRAPH_TRACE'].map(kind => `CUPTI_ACTIVITY_KIND_${kind}`);

function open(name: string, sql: string, change = ''): Promise<Trace> {
  const path = join(folder, name);
  const db = new Database(path);
  db.exec(sql);
  db.exec(change);
  db.close();
  return openTrace(path);
}

describe('openTrace(nsys export)', () => {
  it('reads every table that is shown, with counts, devices, processes', async () => {
    const info = traceInfo(await open('worked.sqlite', worked));
    expect(info).toMatchObject({
      format: 'nsys',
      profiler: 'Nsight Systems',
      version: '2024.6.2.225',
      devices: [{id: 1, name: 'Tesla T4'}],
      processes: 2,
      spanNs: 6900,
      counts: {kernels: 2, memcpys: 1, memsets: 0, apiCalls: 4, cpuOps: 0, ranges: 5, pythonFrames: 0, flows: 0},
      gpu: {workNs: 3600, busyNs: 3400, spanNs: 5000, idleNs: 1600},
    });
  });

  it('attributes within a process, by innermost range, whatever the domain; start/end ranges lie above', async () => {
    const rows = rangeRows(await open('ranges.sqlite', worked), 'name');
    const figures = Object.fromEntries(
      rows.map(({name, gpuWorkNs, gpuSelfNs, launches}) => [name, [gpuWorkNs, gpuSelfNs, launches]]),
    );
    expect(figures).toEqual({
      step: [3600, 200, 4],
      'MyDomain:registered': [1000, 1000, 1],
      open: [2400, 2400, 2],
      across: [2400, 0, 2],
      '(outside any range)': [0, 0, 0],
      '(no launch call)': [0, 0, 0],
      '(backward, unmatched)': [0, 0, 0],
    });
  });

  it('counts an open range to the last event, and the work that was launched meanwhile', async () => {
    const late = `insert into CUPTI_ACTIVITY_KIND_RUNTIME values (8000, 8100, 0, 281475144482826, 90, 1, 0);
      insert into CUPTI_ACTIVITY_KIND_KERNEL values (8200, 8300, 0, 1, 7, 90, 281475144482816, 2, 3);`;
    const rows = rangeRows(await open('open.sqlite', worked, late), 'name');
    expect(rows.find(({name}) => name === 'open')).toMatchObject({cpuWallNs: 6900, gpuWorkNs: 2500});
  });

  it('falls back to the short name of a kernel, and never takes another string for it', async () => {
    const nameless = `insert into StringIds values (0, 'zeroth');
      insert into CUPTI_ACTIVITY_KIND_KERNEL values
        (8200, 8300, 0, 1, 7, 90, 281475144482816, null, 3), (8400, 8500, 0, 1, 7, 91, 281475144482816, null, null);`;
    const {slices, strings} = await open('nameless.sqlite', worked, nameless);
    const names = Array.from(slices.name, name => strings.get(name));
    expect(names).toEqual(expect.arrayContaining(['gemm', '(unnamed kernel)']));
    expect(names).not.toContain('zeroth');
  });

  it('keeps processes of two machines apart that have the same id', async () => {
    const otherVm = 2 ** 48 * 2 + 10 * 2 ** 24;
    const change = `insert into CUPTI_ACTIVITY_KIND_RUNTIME values (1100, 1200, 0, ${String(otherVm + 10)}, 1, 1, 0);
      insert into CUPTI_ACTIVITY_KIND_KERNEL values (3000, 3100, 0, 1, 8, 1, ${String(otherVm)}, 2, 3);
      insert into NVTX_EVENTS values (1000, 1900, 59, 'other', null, ${String(otherVm + 10)}, null, 0, null);`;
    const trace = await open('machines.sqlite', worked, change);
    expect(trace.processes.map(({pid}) => pid).sort()).toEqual(['10', '10', '20']);
    expect(rangeRows(trace, 'name').find(({name}) => name === 'other')).toMatchObject({gpuWorkNs: 100});
  });

  it('leaves out operations that a GPU never began', async () => {
    const change = 'insert into CUPTI_ACTIVITY_KIND_KERNEL values (0, 0, 0, 1, 7, 90, 281475144482816, 2, 3)';
    const {notes, counts} = await open('never.sqlite', worked, change);
    expect(counts.kernels).toBe(2);
    expect(notes.find(({code}) => code === 'gpu/untimed')?.text).toContain('1 GPU operation');
  });

  it('takes 0, and a time before the recording, for a time', async () => {
    const change = `insert into CUPTI_ACTIVITY_KIND_KERNEL values
        (0, 50, 0, 1, 7, 90, 281475144482816, 2, 3), (-500, -100, 0, 1, 8, 91, 281475144482816, 2, 3);
      insert into CUPTI_ACTIVITY_KIND_MEMCPY select 0, 20, deviceId, contextId, 9, 92, globalPid, bytes, copyKind
        from CUPTI_ACTIVITY_KIND_MEMCPY limit 1;`;
    const before = traceInfo(await open('before-zero.sqlite', worked)).gpu;
    const trace = await open('zero.sqlite', worked, change);
    expect(trace.counts.kernels).toBe(4);
    expect(traceInfo(trace).gpu.workNs).toBe(before.workNs + 50 + 400 + 20);
    expect(trace.originNs).toBe(-500n);
  });

  it.each([-2000, -100_000])('gives the same figures where all times are moved by %d ns', async shift => {
    const change = ['NVTX_EVENTS', 'CUPTI_ACTIVITY_KIND_RUNTIME', 'OSRT_API', ...gpuTables].map(
      table => `update ${table} set start = start + ${String(shift)}, "end" = "end" + ${String(shift)};`,
    );
    const [trace, shifted] = [
      await open(`as-is${String(shift)}.sqlite`, worked),
      await open(`shifted${String(shift)}.sqlite`, worked, change.join('')),
    ];
    expect(traceInfo(shifted)).toEqual(traceInfo(trace));
    expect(rangeRows(shifted, 'instance')).toEqual(rangeRows(trace, 'instance'));
    expect(shifted.originNs - trace.originNs).toBe(BigInt(shift));
  });

  it('names tracks, copies and graphs as the trade does', async () => {
    const {tracks, slices, strings} = await open('names.sqlite', worked);
    expect(tracks.map(({name}) => name)).toEqual([
      'Stream 7',
      'Stream 7',
      'NVTX start/end ranges',
      'thread 10 (python)',
      'thread 20 (main)',
    ]);
    const names = Array.from(slices.name, name => strings.get(name));
    expect(names).toEqual(
      expect.arrayContaining(['[CUDA memcpy Host-to-Device]', 'CUDA graph 12', 'gemm(float*)', 'read']),
    );
  });

  it('notes what is missing or was mended', async () => {
    const {notes} = await open('notes.sqlite', worked);
    expect(notes.map(({code}) => code)).toEqual([
      'gpu/whole-graphs',
      'ranges/open',
      'rows/invalid',
      'tables/not-shown',
      'nsys/warning',
    ]);
    expect(notes.at(-1)?.text).toBe('nsys warning (2 times): Events were lost.');
    expect(notes.at(-2)?.text).toBe('Recorded, but not shown: CPU samples.');
  });

  it('opens exports of other versions: columns and tables come and go', async () => {
    const old = `
      drop table META_DATA_EXPORT; drop table TARGET_INFO_CUDA_DEVICE; drop table TARGET_INFO_GPU; drop table PROCESSES;
      drop table ThreadNames; drop table OSRT_API; drop table DIAGNOSTIC_EVENT; drop table CUPTI_ACTIVITY_KIND_GRAPH_TRACE;
      alter table CUPTI_ACTIVITY_KIND_KERNEL drop column demangledName;
      alter table NVTX_EVENTS drop column textId; alter table NVTX_EVENTS drop column domainId;
      alter table CUPTI_ACTIVITY_KIND_RUNTIME drop column eventClass;`;
    const info = traceInfo(await open('old.sqlite', worked, old));
    expect(info).toMatchObject({version: null, devices: [{id: 0, name: null}], counts: {kernels: 2, ranges: 5}});
  });

  it('joins kernels without a process to the only one that calls', async () => {
    const change = `delete from CUPTI_ACTIVITY_KIND_RUNTIME where globalTid = 281475312254996;
      delete from CUPTI_ACTIVITY_KIND_KERNEL where globalPid = 281475312254976;
      alter table CUPTI_ACTIVITY_KIND_KERNEL drop column globalPid;`;
    const rows = rangeRows(await open('no-pid.sqlite', worked, change), 'name');
    expect(rows.find(({name}) => name === 'MyDomain:registered')?.gpuWorkNs).toBe(1000);
  });

  it('joins kernels without a process to none where several call', async () => {
    const change = 'alter table CUPTI_ACTIVITY_KIND_KERNEL drop column globalPid';
    const trace = await open('no-pid-of-two.sqlite', worked, change);
    const kernels = rangeRows(trace, 'name').find(({name}) => name === 'MyDomain:registered');
    expect(kernels?.gpuWorkNs).toBe(0);
  });

  it('says when there is no GPU work', async () => {
    const change = `drop table CUPTI_ACTIVITY_KIND_KERNEL; drop table CUPTI_ACTIVITY_KIND_MEMCPY;
      drop table CUPTI_ACTIVITY_KIND_GRAPH_TRACE; drop table CUPTI_ACTIVITY_KIND_RUNTIME;`;
    const {notes} = await open('nvtx-only.sqlite', worked, change);
    expect(notes[0]).toMatchObject({code: 'gpu/none'});
  });

  it('survives values of any type', async () => {
    const change = `insert into CUPTI_ACTIVITY_KIND_KERNEL values ('x', null, 'y', 1, 'z', 'w', 'v', 'u', null);
      insert into NVTX_EVENTS values ('a', 'b', 59, x'00', 'c', 'd', null, 'e', null);
      insert into StringIds values (99, x'ff');`;
    const info = traceInfo(await open('types.sqlite', worked, change));
    expect(info.counts).toMatchObject({kernels: 2, ranges: 5});
    expect(info.notes.find(({code}) => code === 'rows/invalid')?.text).toBe(
      '3 rows were left out because a time or value is missing or not a whole number, or because the end is before the start.',
    );
  });

  it('leaves nothing beside a database with a write-ahead log, and reads the log', async () => {
    const path = join(folder, 'live.sqlite');
    const db = new Database(path);
    db.pragma('journal_mode = wal');
    db.exec(worked);
    const copy = join(folder, 'wal.sqlite');
    copyFileSync(path, copy);
    copyFileSync(`${path}-wal`, `${copy}-wal`);
    db.close();
    expect(traceInfo(await openTrace(copy)).counts.kernels).toBe(2);
    expect(existsSync(`${copy}-shm`)).toBe(false);
  });

  it('can be cancelled', async () => {
    const path = join(folder, 'cancel.sqlite');
    const db = new Database(path);
    db.exec(worked);
    db.close();
    await expect(openTrace(path, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'import/cancelled'});
  });
});
