import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {instantKinds} from '../../../src/core/trace/instants.js';
import {sliceKinds, type SliceKind} from '../../../src/core/trace/slices.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {rowAt, sourceOf} from '../../../src/importers/nsys/events/row-place.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {readInstantArguments, readSliceArguments} from '../../../src/importers/slice-arguments.js';
import {opened} from '../../support/opened-file.js';
import {project, temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
const fixture = (name: string) => readFileSync(join(project, 'test', 'fixtures', 'nsys', name), 'utf8');
const all = fixture('worked.sql') + fixture('events.sql');

function write(name: string, sql: string): string {
  const path = join(folder, name);
  const db = new Database(path);
  db.exec(sql);
  db.close();
  return path;
}

/** Slices of a kind: track, name, start in the file's own time, duration. */
function slicesOf({slices, strings, tracks, originNs}: Trace, kind: SliceKind): [string, string, number, number][] {
  return Array.from(slices.startNs, (startNs, row): [string, string, number, number, boolean] => [
    tracks[slices.track[row] ?? -1]?.name ?? '',
    strings.get(slices.name[row] ?? -1),
    startNs + Number(originNs),
    slices.durationNs[row] ?? NaN,
    sliceKinds[slices.kind[row] ?? -1] === kind,
  ])
    .filter(row => row[4])
    .map(([track, name, startNs, durationNs]) => [track, name, startNs, durationNs]);
}

function instantsOf({instants, strings, tracks, originNs}: Trace, kind: (typeof instantKinds)[number]): unknown[][] {
  return Array.from(instants.atNs, (atNs, row) => [
    instantKinds[instants.kind[row] ?? -1],
    tracks[instants.track[row] ?? -1]?.name,
    strings.get(instants.name[row] ?? -1),
    atNs + Number(originNs),
    instants.bytes[row],
  ])
    .filter(row => row[0] === kind)
    .map(row => row.slice(1));
}

function countersOf({counters, counterSamples: {atNs, value}, originNs}: Trace): unknown[][] {
  return counters.map(({name, unit, process, device, firstSample, endSample}) => [
    name,
    unit,
    process,
    device,
    Array.from(atNs.subarray(firstSample, endSample), at => at + Number(originNs)),
    Array.from(value.subarray(firstSample, endSample)),
  ]);
}

describe('openTrace(nsys export with every table of events)', () => {
  const path = write('events.sqlite', all);
  const opened = openTrace(path);

  it('names synchronisation by what it waits for, whatever the number of its type', async () => {
    expect(slicesOf(await opened, 'cuda_sync')).toEqual([
      ['Stream 7 · synchronisation', 'Stream sync', 2000, 1000],
      ['Stream 7 · synchronisation', 'Stream wait event', 3600, 100],
      ['Context 1 · synchronisation', 'Context sync', 3000, 500],
      ['Context 1 · synchronisation', 'Event sync', 3500, 100],
    ]);
  });

  it('puts calls of libraries, MPI, OpenMP and graph nodes on their threads', async () => {
    const trace = await opened;
    const calls = (['library_call', 'cuda_graph_event', 'mpi', 'openmp', 'overhead', 'page_fault'] as const).flatMap(
      kind => slicesOf(trace, kind).map(slice => [kind, ...slice]),
    );
    expect(calls).toEqual([
      ['library_call', 'thread 10 (python)', 'cudnnConvolutionForward', 1010, 280],
      ['cuda_graph_event', 'thread 10 (python)', 'cudaGraphAddKernelNode', 1460, 10],
      ['mpi', 'thread 11 (worker)', 'MPI_Allreduce', 4000, 100],
      ['openmp', 'thread 11 (worker)', 'omp_parallel', 4200, 100],
      ['overhead', 'thread 11 · profiler overhead', 'Buffer flush', 4400, 100],
      ['page_fault', 'Unified memory · page faults', 'GPU page fault', 5000, 100],
    ]);
  });

  it('pairs the switches of each thread, in any order, and counts those without a partner', async () => {
    const trace = await opened;
    expect(slicesOf(trace, 'thread_running')).toEqual([
      ['thread 10 · on CPU', 'CPU 3', 1000, 400],
      ['thread 11 · on CPU', 'CPU 4', 1600, 900],
    ]);
    expect(trace.notes.find(({code}) => code === 'scheduling/unpaired')?.text).toMatch(
      /^2 scheduling events were left out/,
    );
  });

  it('makes instants of marks, CPU samples, allocations and page faults', async () => {
    const trace = await opened;
    expect(instantsOf(trace, 'nvtx_mark')).toEqual([
      ['thread 10 (python)', 'mark', 1500, NaN],
      ['thread 10 (python)', 'MyDomain:registered', 1550, NaN],
      ['thread 11 (worker)', 'half', 1560, NaN],
      ['thread 11 (worker)', 'json', 1570, NaN],
    ]);
    expect(instantsOf(trace, 'cpu_sample')).toEqual([
      ['thread 10 (python)', 'sin', 1100, NaN],
      ['thread 10 (python)', '(unknown function)', 1200, NaN],
    ]);
    expect(instantsOf(trace, 'memory')).toEqual([
      ['CUDA memory', 'Allocation', 1100, 500],
      ['CUDA memory', 'Allocation', 1200, 1000],
      ['CUDA memory', 'Deallocation', 1300, -500],
      ['CUDA memory', 'Allocation', 1300, 32],
      ['CUDA memory', 'Allocation', 1310, 8],
    ]);
    expect(instantsOf(trace, 'page_fault')).toEqual([['Unified memory · page faults', 'CPU page fault', 1350, NaN]]);
  });

  it('makes counters of GPU metrics and allocated memory, in base units, per GPU and process', async () => {
    const trace = await opened;
    expect(countersOf(trace)).toEqual([
      ['SMs Active [Throughput %]', 'percent', -1, 0, [50, 150], [40, 60]],
      ['SYS Clock Frequency', 'hertz', -1, 0, [50], [1_590_000_000]],
      ['metric 9', null, -1, 0, [150], [7]],
      // CUDA_VISIBLE_DEVICES made GPU 1 device 0 of the process.
      ['CUDA memory allocated (Device)', 'bytes', 0, 1, [1100, 1200, 1300], [500, 1500, 1000]],
      ['SMs Active [Throughput %]', 'percent', -1, 1, [50], [90]],
      // The host's memory is one, whichever device it was allocated for.
      ['CUDA memory allocated (Pinned)', 'bytes', 0, -1, [1300, 1310], [32, 40]],
    ]);
    expect(trace.originNs).toBe(50n);
    expect(trace.devices).toEqual([
      {id: 0, name: 'iGPU'},
      {id: 1, name: 'Tesla T4'},
    ]);
  });

  it('names in its notes only what is not shown, and rows that say nothing', async () => {
    const {notes} = await opened;
    expect(notes.find(({code}) => code === 'tables/not-shown')?.text).toBe(
      'Recorded, but not shown: GPU context switches, SOMETHING_NEW.',
    );
    // A synchronisation that ends before it starts, two metrics; and the kernel of worked.sql.
    expect(notes.find(({code}) => code === 'rows/invalid')?.text).toMatch(/^4 rows/);
  });

  it('does not call hidden what nsys has made of the ranges that are shown', async () => {
    const derived = `${all}
      create table NvtxPushPopRanges (rangeId integer, globalTid integer, start integer, "end" integer);
      insert into NvtxPushPopRanges values (1, 2, 3, 4);`;
    const {notes} = await openTrace(write('derived.sqlite', derived));
    expect(notes.find(({code}) => code === 'tables/not-shown')?.text).toBe(
      'Recorded, but not shown: GPU context switches, SOMETHING_NEW.',
    );
  });

  it('has the names of GPUs of exports from before the middle of 2021', async () => {
    const old = `${all} drop table TARGET_INFO_GPU;
      create table TARGET_INFO_CUDA_GPU (deviceId integer, name text);
      insert into TARGET_INFO_CUDA_GPU values (0, 'Tesla P100'), (1, 'Tesla V100');`;
    const {devices} = await openTrace(write('old-devices.sqlite', old));
    expect(devices).toContainEqual({id: 1, name: 'Tesla V100'});
  });

  it('does not read a table whose columns say nothing, and says so', async () => {
    const {notes, instants} = await openTrace(
      write('columns.sqlite', `${all} alter table COMPOSITE_EVENTS rename column start to began;`),
    );
    expect(notes.find(({code}) => code === 'tables/not-shown')?.text).toContain('CPU samples');
    expect(instants.kind.includes(instantKinds.indexOf('cpu_sample'))).toBe(false);
  });

  it('reads the rest where a table cannot be read', async () => {
    const change = `drop table CUDNN_EVENTS;
      create table CUDNN_EVENTS (start integer, "end" integer, globalTid integer, nameId integer, primary key (start)) without rowid;
      insert into CUDNN_EVENTS values (1, 2, 3, 4);`;
    const trace = await openTrace(write('rowless.sqlite', all + change));
    expect(trace.notes.find(({code}) => code === 'tables/damaged')?.text).toBe(
      'Damaged, and read in part or not at all: cuDNN calls.',
    );
    expect(slicesOf(trace, 'mpi')).toHaveLength(1);
  });

  it('survives values of any type in every table', async () => {
    const tables = [...all.matchAll(/create table (\w+) \(([^;]*)\);/g)].filter(
      ([, table = '']) => table !== 'StringIds' && !table.startsWith('SOMETHING'),
    );
    const odd = ["'text'", "x'ff'", 'null', '1e300', '-9223372036854775808', '9223372036854775807'];
    const db = new Database(write('odd.sqlite', all));
    for (const [, table = ''] of tables) {
      const columns = db.pragma(`table_info(${table})`) as {name: string; pk: number; notnull: number}[];
      for (const value of odd) {
        const values = columns.map(({pk, notnull}) =>
          pk > 0 ? 'null' : notnull > 0 && value === 'null' ? '0' : value,
        );
        db.exec(`insert into ${table} values (${values.join()})`);
      }
    }
    db.close();
    const trace = await openTrace(join(folder, 'odd.sqlite'));
    expect(Number.isFinite(trace.spanNs)).toBe(true);
    for (const atNs of [...trace.instants.atNs, ...trace.counterSamples.atNs]) {
      expect(atNs >= 0 && atNs <= trace.spanNs).toBe(true);
    }
    for (const {device} of trace.counters) expect(Number.isInteger(device)).toBe(true);
  });

  it('opens a report that holds nothing but GPU metrics', async () => {
    const only = `create table StringIds (id integer, value text);
      create table GPU_METRICS (timestamp integer, typeId integer, metricId integer, value integer);
      insert into GPU_METRICS values (5, 0, 1, 2), (8, 0, 1, 3);`;
    const trace = await openTrace(write('metrics.sqlite', only));
    expect([trace.slices.length, trace.counterSamples.length, trace.spanNs]).toEqual([0, 2, 3]);
  });
});

describe('readInstantArguments(file, trace, instant)', () => {
  const path = write('arguments.sqlite', all);
  const openedTrace = openTrace(path);
  const file = opened(path);
  const instantOf = ({instants, strings}: Trace, name: string) =>
    instants.name.findIndex(index => strings.get(index) === name);

  it('tells the domain, category, colour and payload of an NVTX mark', async () => {
    const trace = await openedTrace;
    expect(
      (await readInstantArguments(await file, trace, instantOf(trace, 'MyDomain:registered'))).slice(0, 5),
    ).toEqual([
      {name: 'text', value: 'registered'},
      {name: 'domain', value: 'MyDomain'},
      {name: 'category', value: 'Input (7)'},
      {name: 'payload', value: '18446744073709551615'},
      {name: 'color', value: '#112233'},
    ]);
    const half = await readInstantArguments(await file, trace, instantOf(trace, 'half'));
    expect(half.slice(0, 2)).toEqual([
      {name: 'text', value: 'half'},
      {name: 'payload', value: '0.5'},
    ]);
    const json = await readInstantArguments(await file, trace, instantOf(trace, 'json'));
    expect(json.slice(0, 3)).toEqual([
      {name: 'text', value: 'json'},
      {name: 'category', value: '9'},
      {name: 'payload', value: '{"bytes": 8}'},
    ]);
  });

  it('tells the call chain of a CPU sample, the innermost frame first', async () => {
    const trace = await openedTrace;
    const args = await readInstantArguments(await file, trace, instantOf(trace, 'sin'));
    expect(args.at(-1)).toEqual({name: 'call chain', value: 'sin (libm.so) ← main (app.cu)'});
    expect(args).toContainEqual({name: 'cpu', value: '3'});
  });

  it('tells what an allocation and a page fault say', async () => {
    const trace = await openedTrace;
    expect(await readInstantArguments(await file, trace, instantOf(trace, 'Deallocation'))).toContainEqual({
      name: 'address',
      value: '4096',
    });
    expect(await readInstantArguments(await file, trace, instantOf(trace, 'CPU page fault'))).toContainEqual({
      name: 'module',
      value: 'libm.so',
    });
    for (const instant of [-1, 0.5, 1e9]) expect(await readInstantArguments(await file, trace, instant)).toEqual([]);
  });

  it('readSliceArguments() finds a slice’s row in whichever table it stands', async () => {
    const trace = await openedTrace;
    const slice = trace.slices.name.findIndex(index => trace.strings.get(index) === 'MPI_Allreduce');
    expect(await readSliceArguments(await file, trace, slice)).toContainEqual({name: 'size', value: '1024'});
    const range = trace.slices.name.findIndex(index => trace.strings.get(index) === 'MyDomain:registered');
    expect((await readSliceArguments(await file, trace, range)).slice(0, 2)).toEqual([
      {name: 'text', value: 'registered'},
      {name: 'domain', value: 'MyDomain'},
    ]);
  });
});

describe('sourceOf(table, rowid)', () => {
  it('is read back by rowAt(source), and leaves row ids alone as they are', () => {
    for (const rowid of [0, 1, 2 ** 40 - 1]) {
      expect(rowAt(sourceOf('NVTX_EVENTS', rowid))).toEqual({table: 'NVTX_EVENTS', rowid});
    }
    expect(rowAt(12)).toEqual({table: null, rowid: 12});
    for (const rowid of [-1, 2 ** 40, NaN]) expect(sourceOf('NVTX_EVENTS', rowid)).toBe(-1);
  });
});
