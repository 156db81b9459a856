import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import Database from 'better-sqlite3';
import {describe, expect, it} from 'vitest';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {writeNsysDatabase} from '../../support/nsys-database.js';
import {temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, dataFolder, hasData} from '../../support/real-data.js';

const code = 'gpu/doubtful-times';

async function noteOf(path: string): Promise<string | undefined> {
  return (await openTrace(path)).notes.find(note => note.code === code)?.text;
}

function fileOf(events: readonly KinetoEvent[]): string {
  const path = join(temporaryFolder(), 'times.json');
  writeFileSync(path, kinetoText([...events]));
  return path;
}

/** Kernels of 10 µs, one after the other. */
const usual = Array.from({length: 20}, (_, at) => kineto.kernel(at + 1, 20 * at, 10));

describe('times of GPU operations that can hardly be right', () => {
  it('are one that lasts beyond the start of the next on its stream', async () => {
    const path = fileOf([...usual, kineto.kernel(50, 400, 100), kineto.kernel(51, 450, 10)]);
    const note = await noteOf(path);
    expect(note).toContain('1 ends after the start of the next operation on the same stream');
    expect(note).toContain('"gemm"');
    const rows = textRows(await reportOfFile(path, 'data_quality'));
    const row = rows.find(({What}) => What?.includes('beyond the start'));
    expect([row?.['Count'], row?.['Of'], row?.['Time (ns)']]).toEqual(['1', '22', '100000']);
  });

  it('are not those of another stream, of one launch, or within 1 µs', async () => {
    expect(await noteOf(fileOf([...usual, kineto.kernel(60, 405, 11), kineto.kernel(61, 415, 10)]))).toBeUndefined();
    expect(await noteOf(fileOf([...usual, kineto.kernel(60, 405, 30), kineto.kernel(60, 415, 10)]))).toBeUndefined();
    const elsewhere = kineto.kernel(61, 415, 10, {stream: 9});
    expect(await noteOf(fileOf([...usual, kineto.kernel(60, 405, 30), elsewhere]))).toBeUndefined();
  });

  it('are one that takes far longer than others of its name', async () => {
    const note = await noteOf(fileOf([...usual, kineto.kernel(70, 1000, 20_000)]));
    expect(note).toContain('1 takes over 100 times as long as nine in ten of the same name and grid');
    expect(note).toMatch(
      /20\.2 ms of GPU work\. Without it, GPU work is 200\S* µs, and the GPU is busy for 200\S* µs instead of 20\.2 ms\./,
    );
  });

  const ofGrid = (correlation: number, ts: number, dur: number, blocks: number) =>
    kineto.kernel(correlation, ts, dur, {grid: [blocks, 1, 1], block: [128, 1, 1]});
  const small = Array.from({length: 20}, (_, at) => ofGrid(at + 1, 20 * at, 10, 2));

  it('are not one that takes long with a grid as much larger', async () => {
    expect(await noteOf(fileOf([...small, ofGrid(70, 1000, 20_000, 4000)]))).toBeUndefined();
    const large = Array.from({length: 8}, (_, at) => ofGrid(80 + at, 1000 + 30_000 * at, 20_000, 300));
    expect(await noteOf(fileOf([...small, ...large]))).toBeUndefined();
  });

  it('are one that takes far longer than others of its grid, or for a thread', async () => {
    const path = fileOf([...small, ofGrid(70, 1000, 20_000, 2)]);
    expect(await noteOf(path)).toContain('1 takes over 100 times');
    const rows = textRows(await reportOfFile(path, 'data_quality'));
    expect(rows.find(({What}) => What?.includes('name and grid'))?.['Count']).toBe('1');
    expect(await noteOf(fileOf([...small, ofGrid(70, 1000, 20_000, 4)]))).toContain('1 takes over 100 times');
  });

  it('are one that starts before its call by more than 1 µs', async () => {
    const note = await noteOf(fileOf([kineto.call(60, 500, 5), kineto.kernel(60, 498, 10), ...usual]));
    expect(note).toContain('1 starts before the call that launched it');
    expect(await noteOf(fileOf([kineto.call(60, 500, 5), kineto.kernel(60, 499, 10), ...usual]))).toBeUndefined();
  });

  it('are none of kernels that a call with attributes may let begin early', async () => {
    const launch = (correlation: number, ts: number, name: string) => ({...kineto.call(correlation, ts, 1), name});
    const pair = [kineto.kernel(60, 405, 30), kineto.kernel(61, 415, 40)];
    const events = (name: string) => [...usual, launch(60, 390, 'cudaLaunchKernel'), launch(61, 391, name), ...pair];
    expect(await noteOf(fileOf(events('cuLaunchKernelEx')))).toBeUndefined();
    expect(await noteOf(fileOf(events('cudaLaunchKernelExC')))).toBeUndefined();
    expect(await noteOf(fileOf(events('cudaLaunchKernel')))).toContain('1 ends after the start of the next');
    // One that is over while the one before it runs tells that that lasts too long.
    const inside = [
      ...usual,
      launch(61, 391, 'cuLaunchKernelEx'),
      kineto.kernel(60, 405, 90),
      kineto.kernel(61, 415, 40),
    ];
    expect(await noteOf(fileOf(inside))).toContain('1 ends after the start of the next');
  });

  it('are one that ends after the recording', async () => {
    const span = {ph: 'X', cat: 'Trace', name: 'PyTorch Profiler (0)', pid: 'Spans', tid: 'PyTorch Profiler', ts: 0};
    const note = await noteOf(fileOf([...usual, {...span, dur: 300} as KinetoEvent]));
    expect(note).toContain('5 end after the recording');
  });

  it('are one that ends after the duration that nsys writes', async () => {
    const path = writeNsysDatabase(join(temporaryFolder(), 'end.sqlite'));
    const database = new Database(path);
    database.exec('drop table if exists ANALYSIS_DETAILS');
    database.exec(
      'create table ANALYSIS_DETAILS (globalVid integer, duration integer, startTime integer, stopTime integer)',
    );
    const [last] = database.prepare('select max("end") from CUPTI_ACTIVITY_KIND_KERNEL').raw().get() as [number];
    database.exec(`insert into ANALYSIS_DETAILS values (1, ${String(last)}, 5, ${String(last + 5)})`);
    expect(await noteOf(path)).toBeUndefined();
    database.exec(`update CUPTI_ACTIVITY_KIND_KERNEL set "end" = "end" + 300000000 where "end" = ${String(last)}`);
    database.close();
    expect(await noteOf(path)).toContain('1 ends after the recording');
  });
});

/** Why clean files have the note all the same. */
const exceptions: Readonly<Record<string, string>> = {
  'mfu-2gpu-before.sqlite': 'one kernel is recorded 12 µs into the one before it',
};

describe.skipIf(!hasData)('real profiles', () => {
  const folders = ['kineto', 'nsys', 'compare', 'graphs', 'critical-path', 'trust'];
  const files = folders.flatMap(folder => ['.json.gz', '.sqlite'].flatMap(ending => dataFiles(folder, ending)));
  itEachFile(files)('of $name have no such note, but for the exceptions', async ({name, path}) => {
    expect((await noteOf(path)) !== undefined).toBe(Object.hasOwn(exceptions, name));
  });

  it('of which one kernel is made 0.3 s longer have one', async () => {
    const path = join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz');
    const trace = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: {cat?: string; dur: number}[]};
    const kernels = trace.traceEvents.filter(({cat}) => cat === 'kernel');
    const kernel = kernels[Math.floor(kernels.length / 2)];
    if (kernel) kernel.dur += 300_000;
    const changed = join(temporaryFolder(), 'longer.json');
    writeFileSync(changed, JSON.stringify(trace));
    expect(await noteOf(changed)).toMatch(
      /of 772 ms of GPU work\. Without (?:it|them), GPU work is 472 ms, and the GPU is busy for \d+ ms instead of \d+ ms/,
    );
  });
});
