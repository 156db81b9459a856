import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {laneIndex} from '../../src/core/layout/lane-index.js';
import {lineTimings} from '../../src/core/lines/line-timings.js';
import {gpuSummary} from '../../src/core/questions/info.js';
import {rangeGroupings, rangeRows} from '../../src/core/figures/range-rows.js';
import {flameGraph} from '../../src/core/questions/flame.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {ownProfiles} from '../support/own-profiles.js';
import {temporaryFolder} from '../support/project.js';
import {readCsv} from '../support/read-csv.js';
import {itEachFile} from '../support/each-file.js';
import {dataFiles, dataFolder, hasData} from '../support/real-data.js';

const own = ownProfiles(temporaryFolder());
const kinetoFiles = [...own.kineto, ...dataFiles('kineto', '.json.gz')];
const nsysFiles = [...own.nsys, ...dataFiles('nsys', '.sqlite')];
const reports = dataFiles('nsys', '.nsys-rep');

interface ChromeEvent {
  readonly name: string;
  readonly ph?: string;
  readonly cat?: string;
  readonly pid?: number | string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: {readonly device?: number};
}

describe('Kineto traces', () => {
  itEachFile(kinetoFiles)('$name has the counts that JSON.parse counts', async ({path}) => {
    const trace = await openTrace(path);
    const json = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: ChromeEvent[]};
    const of = (...categories: string[]) =>
      json.traceEvents.filter(({ph, cat}) => ph === 'X' && categories.includes(cat ?? '')).length;
    // The runner records calls of modules as operators; they are frames.
    const modules = json.traceEvents.filter(({cat, name}) => cat === 'cpu_op' && name.startsWith('nn.Module: ')).length;
    expect(trace.counts).toEqual({
      kernels: of('kernel', 'Kernel'),
      memcpys: of('gpu_memcpy', 'Memcpy'),
      memsets: of('gpu_memset', 'Memset'),
      apiCalls: of('cuda_runtime', 'cuda_driver', 'Runtime'),
      cpuOps: of('cpu_op', 'Operator') - modules,
      ranges: of('user_annotation'),
      pythonFrames: of('python_function') + modules,
      flows: json.traceEvents.filter(({ph}) => ph === 's' || ph === 'f').length,
    });
    expect(trace.slices.length).toBe(json.traceEvents.filter(({ph}) => ph === 'X').length);
    expect(trace.notes.filter(({code}) => code === 'events/malformed' || code.startsWith('file/'))).toEqual([]);
    expect(trace.meta.format).toBe('kineto');
  });

  itEachFile(kinetoFiles)('$name closes its account, by name, path and instance', async ({path}) => {
    const trace = await openTrace(path);
    for (const by of rangeGroupings) {
      const sum = rangeRows(trace, by).reduce((total, row) => total + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
      expect(sum).toBe(gpuSummary(trace).workNs);
    }
    expect(flameGraph(trace, {weight: 'gpu-work'}).total).toBe(gpuSummary(trace).workNs);
  });
});

describe.skipIf(!hasData)('real Kineto traces', () => {
  /** TraceLens's own figures, in ms: it knows of no launch-less operations, so only files without any are compared. */
  it.each([
    ['bert-small-h100.json.gz', 'bert-h100'],
    ['timesformer-h100-python-stacks.json.gz', 'timesformer-h100'],
    ['gpu-only-mi210.json.gz', 'gpu-only-mi210'],
  ])('%s has TraceLens’s busy and idle time', async (name, folder) => {
    const {busyNs, idleNs} = gpuSummary(await openTrace(join(dataFolder, 'kineto', name)));
    const lines = readFileSync(join(dataFolder, 'kineto', 'expected', folder, 'gpu_timeline.csv'), 'utf8')
      .trim()
      .split('\n');
    const ms = (type: string) => Number(lines.find(line => line.startsWith(`${type},`))?.split(',')[1]);
    // TraceLens adds doubles of absolute µs, which are off by up to 100 ns in all.
    expect(Math.abs(busyNs / 1e6 - ms('busy_time'))).toBeLessThan(1e-4);
    expect(Math.abs(idleNs / 1e6 - ms('idle_time'))).toBeLessThan(1e-4);
  });

  it('qwen1.5-0.5b-h100 keeps the 509 operations without a launch in their bucket, and counts them', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'qwen1.5-0.5b-h100.json.gz'));
    expect(rangeRows(trace, 'name').find(({name}) => name === '(no launch call)')).toMatchObject({ops: 509});
    expect(gpuSummary(trace).busyNs / 1e6).toBeCloseTo(45.6473, 4);
  });

  it('ns-resolution-rank0 has no overlapping kernels on a stream: its times are exact', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'));
    expect(gpuSummary(trace)).toMatchObject({workNs: 472_454_441, busyNs: 472_454_441});
    expect(gpuSummary(trace).spanNs / 1e6).toBeCloseTo(480.029, 3);
    const {sections} = laneIndex(trace);
    const ofStreams = trace.tracks.flatMap(({kind}, track) => (kind === 'stream' ? sections[track] : []));
    expect(ofStreams).toMatchObject([{laneCount: 1}]);
  });

  it('train-resnet18-ddp-mi300 pairs its 355 fwdbwd flows as sequence numbers do', async () => {
    const trace = await openTrace(join(dataFolder, 'kineto', 'train-resnet18-ddp-mi300.json.gz'));
    expect(trace.forwardBackward.length).toBe(710);
  });
});

describe('nsys exports', () => {
  itEachFile(nsysFiles)('$name has the counts and sums that SQL gives', async ({path}) => {
    const trace = await openTrace(path);
    const db = new Database(path, {readonly: true});
    try {
      const has = (table: string) =>
        db.prepare('select 1 from sqlite_master where type = ? and name = ?').get('table', table) !== undefined;
      const number = (table: string, expression: string, where = '1') =>
        has(table)
          ? db.prepare<[], number>(`select coalesce(${expression}, 0) from ${table} where ${where}`).pluck().get()
          : 0;
      const gpuTables = ['KERNEL', 'MEMCPY', 'MEMSET'].map(kind => `CUPTI_ACTIVITY_KIND_${kind}`);
      expect(trace.counts).toMatchObject({
        kernels: number('CUPTI_ACTIVITY_KIND_KERNEL', 'count(*)'),
        memcpys: number('CUPTI_ACTIVITY_KIND_MEMCPY', 'count(*)'),
        memsets: number('CUPTI_ACTIVITY_KIND_MEMSET', 'count(*)'),
        apiCalls: number('CUPTI_ACTIVITY_KIND_RUNTIME', 'count(*)'),
        ranges: number('NVTX_EVENTS', 'count(*)', 'eventType in (59, 60, 70, 71)'),
      });
      const workNs = gpuTables.reduce((sum, table) => sum + (number(table, 'sum("end" - start)') ?? 0), 0);
      expect(gpuSummary(trace).workNs).toBe(workNs);
    } finally {
      db.close();
    }
  });

  itEachFile(nsysFiles)('$name closes its account', async ({path}) => {
    const trace = await openTrace(path);
    for (const by of rangeGroupings) {
      const sum = rangeRows(trace, by).reduce((total, row) => total + row.gpuSelfNs + row.backwardGpuSelfNs, 0);
      expect(sum).toBe(gpuSummary(trace).workNs);
    }
    expect(flameGraph(trace, {weight: 'gpu-work'}).total).toBe(gpuSummary(trace).workNs);
  });
});

describe.skipIf(!hasData)('real nsys exports', () => {
  /** What a real nsys prints: `nsys stats -r nvtxgpuproj`. */
  it.each(['power-iteration-t4', 'cs336-windows-2026.2', 'saxpy-mpi-a100-schema2.9', 'train-2xh100-2proc'])(
    '%s projects its ranges onto the GPU as nsys does',
    async name => {
      const trace = await openTrace(join(dataFolder, 'nsys', `${name}.sqlite`));
      const printed = readCsv(readFileSync(join(dataFolder, 'nsys', 'expected', `${name}.nvtxgpuproj.csv`), 'utf8'));
      const key = (rangeName: string, spanNs: number, wallNs: number, launches: number) =>
        `${rangeName} ${String(spanNs)} ${String(wallNs)} ${String(launches)}`;
      const ours = rangeRows(trace, 'instance')
        .filter(({count, launches}) => count > 0 && launches > 0)
        .map(row => key(row.name, row.gpuSpanNs, row.cpuWallNs, row.launches));
      const theirs = printed.map(row =>
        key(
          row['Name'] ?? '',
          Number(row['Projected Duration (ns)']),
          Number(row['Orig Duration (ns)']),
          Number(row['NumGPUOps']),
        ),
      );
      expect(ours.sort()).toEqual(theirs.sort());
    },
  );

  itEachFile(reports)('$name is answered with the version that can read it', async ({path}) => {
    await expect(openTrace(path)).rejects.toMatchObject({code: 'import/nsys-report'});
    await expect(openTrace(path)).rejects.toThrow(/Nsight Systems 202\d\.\d\.\d report/);
  });

  it('gives a line the work of its ranges', async () => {
    const trace = await openTrace(join(dataFolder, 'nsys', 'cs336-windows-2026.2.sqlite'));
    const [softmax] = lineTimings(trace, [[['computing softmax']]]);
    const row = rangeRows(trace, 'name').find(({name}) => name === 'computing softmax');
    expect(softmax).toMatchObject({count: row?.count, gpuWorkNs: row?.gpuWorkNs, cpuWallNs: row?.cpuWallNs});
  });
});
