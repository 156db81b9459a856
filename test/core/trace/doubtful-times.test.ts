import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText, type KinetoEvent} from '../../support/kineto-events.js';
import {reportOfFile, textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
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
    expect(note).toContain('1 last beyond the start of the next on the same stream');
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
    expect(note).toContain('1 take over 100 times as long as nine in ten of the same name');
    expect(note).toContain('20.2 ms of GPU work: without them it is 200');
  });

  it('are one that ends after the recording', async () => {
    const span = {ph: 'X', cat: 'Trace', name: 'PyTorch Profiler (0)', pid: 'Spans', tid: 'PyTorch Profiler', ts: 0};
    const note = await noteOf(fileOf([...usual, {...span, dur: 300} as KinetoEvent]));
    expect(note).toContain('5 end after the recording');
  });
});

/** Why clean files have the note all the same. */
const exceptions: Readonly<Record<string, string>> = {
  'mfu-2gpu-before.sqlite': 'one kernel is recorded 12 µs into the one before it',
};

describe.skipIf(!hasData)('real profiles', () => {
  const folders = ['kineto', 'nsys', 'compare', 'graphs', 'critical-path', 'trust'];
  const files = folders.flatMap(folder => ['.json.gz', '.sqlite'].flatMap(ending => dataFiles(folder, ending)));
  it.each(files)('of $name have no such note, but for the exceptions', async ({name, path}) => {
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
    expect(await noteOf(changed)).toMatch(/of 772 ms of GPU work: without them it is 472 ms/);
  });
});
