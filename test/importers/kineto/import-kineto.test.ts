import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gzipSync, zstdCompressSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {launchLinks} from '../../../src/core/attribution/link-launches.js';
import {traceInfo} from '../../../src/core/questions/info.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';

const folder = temporaryFolder();
let files = 0;

function open(content: string | Uint8Array, name = `trace-${String(++files)}.json`): Promise<Trace> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return openTrace(path);
}

const step = [
  kineto.range('step', 0, 100),
  kineto.op('aten::mm', 10, 50, {'External id': 5}),
  kineto.call(9, 20, 5, {'External id': 5}),
  kineto.kernel(9, 30, 40, {'External id': 5}),
];

describe('openTrace(kineto)', () => {
  it('links a kernel to its call by correlation id, and ignores flows', async () => {
    const flows = [
      {ph: 's', id: 9, pid: 100, tid: 100, ts: 20, cat: 'ac2g', name: 'ac2g'},
      {ph: 'f', id: 9, pid: 0, tid: 7, ts: 30, cat: 'ac2g', name: 'ac2g', bp: 'e'},
      {ph: 'f', id: 9, pid: 100, tid: 100, ts: 20, cat: 'ac2g', name: 'ac2g', bp: 'e'},
    ];
    const trace = await open(kinetoText([...step, ...flows]));
    expect([...launchLinks(trace).callOf]).toEqual([0]);
    expect(trace.counts).toEqual({
      kernels: 1,
      memcpys: 0,
      memsets: 0,
      apiCalls: 1,
      cpuOps: 1,
      ranges: 1,
      pythonFrames: 0,
      flows: 3,
    });
  });

  it('takes the operator that the runner records for a module call as a module, not as an operator', async () => {
    const trace = await open(kinetoText([kineto.op('nn.Module: Net.layers.0', 5, 70), ...step]));
    expect(trace.counts).toMatchObject({cpuOps: 1, pythonFrames: 1});
    const [row] = rangeRows(trace, 'name', {kinds: new Set(['module'] as const)}).filter(({name}) =>
      name.startsWith('nn.'),
    );
    expect(row).toMatchObject({name: 'nn.Module: Net.layers.0', gpuWorkNs: 40_000});
  });

  it('does not trust an external id that only repeats the correlation id', async () => {
    const trace = await open(
      kinetoText([
        kineto.range('wrong', 0, 5),
        kineto.op('aten::wrong', 1, 3, {'External id': 9}),
        kineto.kernel(9, 30, 40, {'External id': 9}),
      ]),
    );
    const rows = rangeRows(trace, 'name');
    expect(rows.find(({name}) => name === 'wrong')?.gpuWorkNs).toBe(0);
    expect(rows.find(({name}) => name === '(no launch call)')?.gpuSelfNs).toBe(40_000);
  });

  it('falls back to an external id that names an operator, where the call is missing', async () => {
    const trace = await open(
      kinetoText([
        kineto.range('step', 0, 20),
        kineto.op('aten::mm', 1, 3, {'External id': 5}),
        kineto.kernel(9, 30, 40, {'External id': 5}),
      ]),
    );
    expect(rangeRows(trace, 'name')[0]).toMatchObject({name: 'step', gpuSelfNs: 40_000, ops: 1, launches: 0});
  });

  it('counts one launch for the twenty kernels of a graph', async () => {
    const kernels = Array.from({length: 20}, (_, i) => kineto.kernel(9, 30 + i, 1, {'graph node id': i}));
    const trace = await open(kinetoText([kineto.range('step', 0, 100), kineto.call(9, 20, 5), ...kernels]));
    expect(rangeRows(trace, 'name')[0]).toMatchObject({gpuWorkNs: 20_000, ops: 20, launches: 1});
  });

  it('keeps every nanosecond of absolute times', async () => {
    const text = kinetoText(step)
      .replace('"ts": 0,', '"ts": 1712195495519689.053,')
      .replaceAll(/"ts": (\d\d),/g, '"ts": 17121954955197$1.054,');
    const trace = await open(text);
    expect(trace.originNs).toBe(1712195495519689053n);
    expect(trace.slices.startNs.filter(ns => !Number.isInteger(ns))).toHaveLength(0);
    const kernel = trace.gpuOperations.slice[0] ?? -1;
    expect(trace.slices.startNs[kernel]).toBe(41_001);
  });

  it('adds the base time, and reads it as text', async () => {
    const trace = await open(kinetoText(step).replace('{', '{"baseTimeNanoseconds": 1790857026000000001,'));
    expect(trace.originNs).toBe(1790857026000000001n);
  });

  it('does not count projected annotations as work', async () => {
    const projected = {ph: 'X', cat: 'gpu_user_annotation', name: 'step', pid: 0, tid: 7, ts: 25, dur: 90};
    const {gpu} = traceInfo(await open(kinetoText([...step, projected])));
    expect(gpu).toEqual({workNs: 40_000, busyNs: 40_000, spanNs: 40_000, idleNs: 0});
  });

  it('names threads by the last name given, and processes and devices', async () => {
    const trace = await open(
      kinetoText(
        [
          ...step,
          {ph: 'M', name: 'process_name', pid: 100, tid: 0, ts: 0, args: {name: 'python3'}},
          {ph: 'M', name: 'thread_name', pid: 100, tid: 100, ts: 0, args: {name: 'thread 100 (pt_main_thread)'}},
          {ph: 'M', name: 'thread_name', pid: 100, tid: 100, ts: 0, args: {name: 'thread 100 (pt_autograd_0)'}},
        ],
        {
          deviceProperties: [
            {id: 0, name: 'Tesla T4'},
            {id: 1, name: 'unused'},
          ],
        },
      ),
    );
    expect(trace.processes).toEqual([{pid: '100', name: 'python3'}]);
    expect(trace.tracks.map(({name}) => name)).toEqual(['Stream 7', 'thread 100 (pt_autograd_0)']);
    expect(trace.devices).toEqual([{id: 0, name: 'Tesla T4'}]);
  });

  it('joins ids that no double holds', async () => {
    const ids = ['10159970886766084423', '10159970886766084424'];
    const text = kinetoText([
      kineto.range('a', 0, 10),
      kineto.call(1, 1, 2),
      kineto.range('b', 20, 10),
      kineto.call(2, 21, 2),
      kineto.kernel(1, 50, 1),
      kineto.kernel(2, 60, 5),
    ]).replaceAll(/"correlation": (\d)/g, (_, id: string) => `"correlation": ${ids[Number(id) - 1] ?? ''}`);
    const rows = rangeRows(await open(text), 'name');
    expect(rows.slice(0, 2).map(({name, gpuWorkNs}) => [name, gpuWorkNs])).toEqual([
      ['b', 5000],
      ['a', 1000],
    ]);
  });

  it('reads the capitalised categories and text ids of 2021', async () => {
    const trace = await open(
      kinetoText([
        {ph: 'X', cat: 'Operator', name: 'aten::mm', pid: 25, tid: '25', ts: 0, dur: 9, args: {'External id': 2}},
        {
          ph: 'X',
          cat: 'Runtime',
          name: 'cudaLaunchKernel',
          pid: 25,
          tid: '25',
          ts: 1,
          dur: 2,
          args: {correlation: 3, 'external id': 2},
        },
        {
          ph: 'X',
          cat: 'Kernel',
          name: 'k',
          pid: 0,
          tid: 'stream 7',
          ts: 5,
          dur: 2,
          args: {device: 0, stream: 7, correlation: 3},
        },
        {
          ph: 'X',
          cat: 'Memset',
          name: 'Memset (Device)',
          pid: 0,
          tid: 'stream 7',
          ts: 8,
          dur: 1,
          args: {correlation: 4},
        },
      ]),
    );
    expect(trace.counts).toMatchObject({kernels: 1, memsets: 1, apiCalls: 1, cpuOps: 1});
    expect(trace.tracks.map(({name, kind}) => [name, kind])).toEqual([
      ['Stream 7', 'stream'],
      ['thread 25 (main)', 'thread'],
    ]);
  });

  it('opens a generic Chrome trace: begin and end pairs, no categories, a bare array', async () => {
    const trace = await open(
      JSON.stringify([
        {ph: 'B', name: 'outer', pid: 1, tid: 1, ts: 0},
        {ph: 'X', name: 'inner', pid: 1, tid: 1, ts: 2, dur: 3},
        {ph: 'E', pid: 1, tid: 1, ts: 10},
        {ph: 'C', name: 'counter', pid: 1, ts: 1, args: {x: 1.5}},
        {ph: 'b', cat: 'net', id: '0x7', name: 'request', pid: 1, tid: 1, ts: 4},
        {ph: 'e', cat: 'net', id: '0x7', name: 'request', pid: 1, tid: 1, ts: 6.5},
        {ph: 'O', name: 'object', pid: 1, tid: 1, ts: 4},
      ]),
    );
    expect(trace.meta).toMatchObject({format: 'chrome', profiler: 'Chrome trace'});
    expect([...trace.slices.durationNs]).toEqual([10_000, 3000, 2500]);
    expect(trace.counters).toMatchObject([{name: 'counter · x', firstSample: 0, endSample: 1}]);
    expect([trace.counterSamples.atNs[0], trace.counterSamples.value[0]]).toEqual([1000, 1.5]);
    expect(trace.notes.map(({text}) => text)).toEqual([
      '1 event was left out because GPU Lens does not show its kind (ph O).',
    ]);
  });

  it('names threads of negative numbers, as the low half of a pointer can be', async () => {
    const tid = -247463936;
    const name = {ph: 'M', name: 'thread_name', pid: 100, tid, ts: 0, args: {name: 'autograd'}};
    const mark = {ph: 'i', s: 't', cat: 'user_annotation', name: 'mark', pid: 100, tid, ts: 1};
    const trace = await open(kinetoText([mark, kineto.op('a', 1, 2, {}, tid), name, kineto.op('b', 4, 2, {}, -2)]));
    expect(trace.tracks.map(track => track.name)).toEqual(['autograd', 'thread -2']);
    expect(trace.instants.track[0]).toBe(0);
  });

  it('takes a kernel that says nothing of its device and stream for one of the first', async () => {
    const trace = await open(kinetoText([{ph: 'X', cat: 'kernel', name: 'gemm', ts: 1, dur: 2, args: {}}]));
    expect(trace.devices.map(({id}) => id)).toEqual([0]);
    expect([trace.gpuOperations.device[0], trace.gpuOperations.stream[0]]).toEqual([0, 0]);
  });

  it('lets the end alone say how long an event is that begins and ends apart', async () => {
    const at = {pid: 1, name: 'a'};
    const trace = await open(
      JSON.stringify([
        {...at, ph: 'X', tid: 1, ts: 0, dur: 5},
        {...at, ph: 'B', tid: 1, ts: 10, dur: 1e9},
        {...at, ph: 'B', tid: 2, ts: 11},
        {...at, ph: 'B', tid: 3, ts: 12, dur: -1e30},
        {...at, ph: 'E', tid: 3, ts: 14},
        {...at, ph: 'X', tid: 1, ts: 20, dur: 5},
      ]),
    );
    // What has no end goes on to the trace's.
    expect([...trace.slices.durationNs]).toEqual([5000, 15_000, 5000, 14_000, 2000]);
    expect(trace.notes.map(({text}) => text)).toEqual([
      '2 slices have a beginning but no end. GPU Lens ends them at the last event.',
    ]);
  });

  it('joins a flow to the last of several ends', async () => {
    const op = (name: string, ts: number, tid: number, number: number) =>
      kineto.op(name, ts, 1, {'Sequence number': number, 'Fwd thread id': 0}, tid);
    const flow = (ph: string, ts: number, tid: number) => ({
      ...{ph, cat: 'fwdbwd', name: 'fwdbwd', id: 4, pid: 100, tid, ts},
    });
    const trace = await open(
      kinetoText([
        ...[op('forward', 0, 100, 1), op('first', 10, 101, 2), op('last', 20, 102, 3)],
        ...[flow('s', 0, 100), flow('f', 10, 101), flow('f', 20, 102)],
      ]),
    );
    const {slices, strings} = trace;
    const names = [...trace.forwardBackward].map(row => strings.get(slices.name[row] ?? 0));
    expect(names).toEqual(['forward', 'last']);
  });

  it('reads memory events, and says what is missing: malformed events, GPU work', async () => {
    const memory = {
      ph: 'i',
      cat: 'cpu_instant_event',
      s: 't',
      name: '[memory]',
      pid: 1,
      tid: 1,
      ts: 1,
      args: {'Total Allocated': 512, Bytes: 4, Addr: 1, 'Device Id': 0, 'Device Type': 1},
    };
    const window = {ph: 'i', s: 'g', name: 'Record Window End', pid: '', tid: '', ts: 99};
    const text = kinetoText([kineto.op('a', 0, 1), memory, memory, window]).replace(
      '"traceEvents": [',
      '"traceEvents": [ {"ph" 3},',
    );
    const {notes, instants, counters, counterSamples, tracks} = await open(text);
    expect(notes.map(({code}) => code)).toEqual(['events/malformed', 'gpu/none']);
    expect([...instants.bytes]).toEqual([4, 4]);
    expect([...instants.track].map(track => tracks[track]?.name)).toEqual(['thread 1 (main)', 'thread 1 (main)']);
    expect(counters.map(({device, unit}) => [device, unit])).toEqual([[0, 'bytes']]);
    expect([...counterSamples.value]).toEqual([512, 512]);
  });

  it('leaves out what has no usable time, says so, and keeps every ns of the others', async () => {
    const ts = 1712195495519689.053;
    const timeless = {...kineto.kernel(3, 0, 10), ts: undefined};
    const at = (text: string) => ({...kineto.kernel(2, 0, 10), ts: text});
    const text = kinetoText([
      kineto.kernel(1, 0, 10),
      ...[0, 1, 2].map(i => kineto.kernel(10 + i, ts + 100 * i, 45)),
      timeless,
      at('NaN'),
      kineto.kernel(4, ts, 1e300),
      kineto.kernel(5, 1e300, 1),
      kineto.kernel(6, ts + 300, -1),
    ]);
    const {gpu, spanNs, notes} = traceInfo(await open(text));
    expect({gpu, spanNs}).toEqual({
      gpu: {workNs: 135_000, busyNs: 135_000, spanNs: 300_000, idleNs: 165_000},
      spanNs: 300_000,
    });
    expect(notes.map(({text: note}) => note)).toEqual([
      '5 events were left out because they have no usable time (none, or days from all others).',
      '1 event has a negative duration. GPU Lens shows it with a duration of 0.',
    ]);
  });

  it('goes by the times of slices, not of metadata, and finds them behind a long header', async () => {
    const marks = Array.from({length: 1000}, () => ({ph: 'M', name: 'process_name', pid: 1, ts: 0, args: {name: 'a'}}));
    const late = Array.from({length: 50}, (_, i) => kineto.kernel(i, 1.7e15 + 100 * i, 10));
    expect((await open(kinetoText([...marks, ...late]))).counts.kernels).toBe(50);
    const header = {header: 'x'.repeat(100_000)};
    const trace = await open(kinetoText([kineto.kernel(99, 0, 10), ...late], header));
    expect([trace.counts.kernels, trace.notes.map(({code}) => code)]).toEqual([50, ['events/untimed']]);
    await expect(open(kinetoText([{...kineto.kernel(1, 0, 1), ts: 'never'}]))).rejects.toThrow(
      'has no event with a usable time.',
    );
  });

  it('goes by the times of counters where there are no slices, or none at first', async () => {
    const samples = Array.from({length: 33_000}, (_, i) => ({
      ph: 'C',
      name: 'level',
      pid: 1,
      ts: 1.7e15 + i,
      args: {value: i},
    }));
    const alone = await open(kinetoText(samples.slice(0, 5)));
    expect([alone.counterSamples.length, alone.spanNs]).toEqual([5, 4000]);
    const before = await open(kinetoText([...samples, kineto.kernel(1, 1.7e15, 10)]));
    expect([before.counterSamples.length, before.counts.kernels, before.notes]).toEqual([33_000, 1, []]);
  });

  it('closes what never ended at the last event, and tells ends without a beginning', async () => {
    const mark = (ph: string, ts: number) => ({ph, name: 'epoch', pid: 1, tid: 1, ts});
    const trace = await open(JSON.stringify([mark('E', 5), mark('B', 10), {...mark('X', 20), dur: 30}]));
    expect([...trace.slices.durationNs].sort((a, b) => a - b)).toEqual([30_000, 40_000]);
    expect(trace.notes.map(({code}) => code)).toEqual(['ranges/open', 'ranges/unopened']);
  });

  it('survives ids and times that make no sense', async () => {
    const trace = await open(
      kinetoText([
        ...step,
        {
          ph: 'X',
          cat: 'kernel',
          name: 'k',
          pid: -1,
          tid: {},
          ts: -5,
          dur: -3,
          args: {device: 'x', stream: null, correlation: -7},
        },
        {ph: 'X', cat: 'cpu_op', name: 7, pid: null, tid: true, ts: 'now', dur: [1]},
        {ph: 'X'},
        {ph: 3},
      ]),
    );
    expect(trace.counts.kernels).toBe(2);
    expect(Math.min(...trace.slices.durationNs)).toBe(0);
    expect(rangeRows(trace, 'name').reduce((sum, row) => sum + row.gpuSelfNs, 0)).toBe(40_000);
  });
});

describe('openTrace, by content', () => {
  const text = kinetoText(step);
  const summary = async (content: string | Uint8Array, name: string) => {
    const {counts, spanNs, notes} = await open(content, name);
    return {counts, spanNs, notes};
  };

  it('does not go by the name', async () => {
    const expected = await summary(text, 'a.json');
    expect(await summary(text, 'a.sqlite')).toEqual(expected);
    expect(await summary(gzipSync(text), 'b.json')).toEqual(expected);
    expect(await summary(gzipSync(text), 'b.png')).toEqual(expected);
    expect(await summary(zstdCompressSync(text), 'c')).toEqual(expected);
  });

  it('shows what was read of a gzip file that is cut off or damaged, with a note', async () => {
    const many = kinetoText(Array.from({length: 20_000}, (_, i) => kineto.op(`op ${String(i * 7919)}`, i, 1)));
    const packed = gzipSync(many);
    const cut = await open(packed.subarray(0, packed.length / 2), 'cut.json.gz');
    expect(cut.counts.cpuOps).toBeGreaterThan(5000);
    expect(cut.notes.map(({code}) => code)).toContain('file/damaged');
    const broken = Buffer.from(packed);
    const middle = Math.floor(packed.length / 2);
    broken.fill(0xff, middle, middle + 200);
    const damaged = await open(broken, 'damaged.json.gz');
    expect(damaged.counts.cpuOps).toBeGreaterThan(2000);
    expect(damaged.notes.map(({code}) => code)).toContain('file/damaged');
  });

  it('reads a compressed file of several parts, and says what lies behind them', async () => {
    const [first, second] = [text.slice(0, 700), text.slice(700)].map(part => Buffer.from(part));
    if (!first || !second) throw new Error('The text has two parts.');
    const parts = (pack: (bytes: Buffer) => Buffer, ...more: Buffer[]) =>
      Buffer.concat([pack(first), pack(second), ...more]);
    const whole = await summary(text, 'whole.json');
    expect(await summary(parts(gzipSync), 'parts.json.gz')).toEqual(whole);
    expect(await summary(parts(zstdCompressSync), 'parts.json.zst')).toEqual(whole);
    const skippable = Buffer.from([0x5a, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    expect(await summary(parts(zstdCompressSync, skippable), 'seekable.json.zst')).toEqual(whole);
    expect(await summary(parts(gzipSync, Buffer.alloc(100)), 'padded.json.gz')).toEqual(whole);
    const {counts, notes} = await summary(parts(zstdCompressSync, Buffer.from('something else')), 'junk.json.zst');
    expect(counts).toEqual(whole.counts);
    expect(notes.map(note => note.text)).toContain(
      'The compressed file is damaged or cut off (there is other data after its end). GPU Lens shows what comes before.',
    );
  });

  it('stops within a chunk when it is cancelled', async () => {
    const path = join(folder, 'cancel.json');
    writeFileSync(path, text);
    await expect(openTrace(path, {signal: AbortSignal.abort()})).rejects.toMatchObject({code: 'import/cancelled'});
  });

  it('reports progress up to the whole file', async () => {
    const path = join(folder, 'progress.json');
    writeFileSync(path, text);
    const seen: number[] = [];
    await openTrace(path, {onProgress: ({bytes, totalBytes}) => seen.push(bytes / totalBytes)});
    expect(seen.at(-1)).toBe(1);
  });
});
