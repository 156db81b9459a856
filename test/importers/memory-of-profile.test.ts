import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {eventsOf} from '../../src/core/memory-snapshot/events-of.js';
import {keptMemory} from '../../src/core/memory-snapshot/kept-rows.js';
import {memoryReport} from '../../src/core/memory-snapshot/memory-report.js';
import {momentAtTime} from '../../src/core/memory-snapshot/moment-times.js';
import {replayDevice, snapshotDevices} from '../../src/core/memory-snapshot/replay.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {memoryOfFile} from '../../src/importers/memory-of-file.js';
import {itEachFile} from '../support/each-file.js';
import {kineto, kinetoText} from '../support/kineto-events.js';
import {writeNsysDatabase} from '../support/nsys-database.js';
import {temporaryFolder} from '../support/project.js';
import {dataFiles} from '../support/real-data.js';

const folder = temporaryFolder();

/** An event of PyTorch's allocator; without an address as its profilers of 2021 wrote it. */
function memory(ts: number, bytes: number, total: number, address?: number, reserved = 4096) {
  const totals = {'Total Allocated': total, 'Total Reserved': reserved};
  const args = {
    Bytes: bytes,
    ...(address !== undefined && {Addr: address}),
    'Device Type': 1,
    'Device Id': 0,
    ...totals,
  };
  return {ph: 'i', cat: 'cpu_instant_event', s: 't', name: '[memory]', pid: 100, tid: 100, ts, args};
}

function profile(name: string, events: readonly object[]): string {
  const path = join(folder, name);
  writeFileSync(path, kinetoText(events));
  return path;
}

const failure = {...memory(70, 0, 0), name: '[OutOfMemory]', args: {Bytes: 9999, 'Device Type': 1, 'Device Id': 0}};

describe('the memory of a PyTorch profile', () => {
  const path = profile('steps.json', [
    kineto.range('ProfilerStep#3', 0, 100),
    kineto.python('train.py(12): loss', 5, 60),
    kineto.range('forward', 10, 30),
    kineto.op('aten::mm', 11, 3),
    memory(12, 300, 1300, 1),
    memory(20, 500, 1800, 2),
    memory(24, -500, 1300, 2),
    memory(50, 100, 1400, 3, 8192),
    // What was there before the recording, 200 of 1000 bytes, is freed in it.
    memory(60, -200, 1200, 9),
    failure,
    memory(90, -300, 900, 1),
  ]);

  it('has the totals of its allocator at every moment, and the innermost range or Python frame of each block', async () => {
    const snapshot = await memoryOfFile(path);
    const {allocatedBytes, reservedBytes} = replayDevice(snapshot, 0);
    expect([...allocatedBytes]).toEqual([1000, 1300, 1800, 1300, 1400, 1200, 1200, 900]);
    expect([...reservedBytes]).toEqual([4096, 4096, 4096, 4096, 8192, 4096, 4096, 4096]);
    const report = memoryReport(snapshot, {device: 0, at: 3, by: 'line'});
    expect(report?.rows).toEqual([
      {file: null, line: null, function: null, bytes: 1000, blocks: 2},
      {file: null, line: null, function: 'forward', bytes: 300, blocks: 1},
      {file: 'train.py', line: 12, function: 'loss', bytes: 100, blocks: 1},
    ]);
    expect(report).toMatchObject({name: 'GPU 0', peak: {allocatedBytes: 1800, event: 1}});
    expect(keptMemory(snapshot, replayDevice(snapshot, 0))).toMatchObject({
      steps: 1,
      isGuessed: false,
      rows: [{file: 'train.py', bytes: 100, blocks: 1, steps: 1}],
    });
    const [stack] =
      memoryReport(snapshot, {device: 0, at: 1, by: 'stack'})?.rows.filter(row => row.bytes === 300) ?? [];
    expect(stack?.stack?.map(place => place.function)).toEqual(['aten::mm', 'forward', 'loss', 'ProfilerStep#3']);
  });

  it('is known at every time of the profile, before its first event and after its last, too', async () => {
    const snapshot = await memoryOfFile(path);
    const trace = await openTrace(path);
    const momentAt = (us: number) => momentAtTime(trace, snapshot, us * 1000, 0)?.moment;
    expect([0, 12, 55, 100].map(momentAt)).toEqual([0, 1, 4, 7]);
    expect(momentAtTime(trace, snapshot, 0, 1)).toBeNull();
  });

  it('names ranges by the lines that were noted for them', async () => {
    const line = {name: 'forward', kind: 'tag', file: 'model.py', line: 7, count: 1} as const;
    const snapshot = await memoryOfFile(path, {}, {lines: [line]});
    const {rows} = memoryReport(snapshot, {device: 0, at: 1, by: 'line'}) ?? {};
    expect(rows?.[1]).toMatchObject({file: 'model.py', line: 7, function: 'forward', bytes: 800});
  });

  it('pairs allocations and frees of one size where there are no addresses, and says so', async () => {
    let total = 1000;
    const changes = [100, 70, 100, -100, -70, -999];
    const events = changes.map((bytes, at) => memory(1 + at, bytes, (total += bytes)));
    const snapshot = await memoryOfFile(profile('old.json', [kineto.op('aten::mm', 0, 9), ...events]));
    const {allocations, allocatedBytes} = replayDevice(snapshot, 0);
    expect([...allocatedBytes]).toEqual([1000, 1100, 1170, 1270, 1170, 1100, 101]);
    const {bytes, fromMoment, untilMoment} = allocations;
    const lives = Array.from(bytes, (size, i) => [size, fromMoment[i], untilMoment[i]]);
    // The last block of 100 bytes is the one that is freed; the first lives on.
    expect(lives.sort()).toEqual([
      [1, 0, 7],
      [100, 1, 7],
      [100, 3, 4],
      [70, 2, 5],
      [999, 0, 6],
    ]);
    expect(memoryReport(snapshot, {device: 0, at: 'peak', by: 'line'})?.notes.map(({code}) => code)).toContain(
      'memory/paired-by-size',
    );
  });

  it('is refused where it has none, with what records it', async () => {
    await expect(memoryOfFile(profile('none.json', [kineto.op('aten::mm', 0, 9)]))).rejects.toMatchObject({
      code: 'import/no-events',
      message: expect.stringContaining('profile_memory=True') as string,
    });
  });
});

describe('the memory of an nsys export', () => {
  it('is what its table says, by the NVTX range that was open', async () => {
    const path = writeNsysDatabase(
      join(folder, 'memory.sqlite'),
      `create table CUDA_GPU_MEMORY_USAGE_EVENTS (start integer, globalPid integer, deviceId integer, contextId integer,
         address integer, pc integer, bytes integer, memKind integer, memoryOperationType integer);
       insert into CUDA_GPU_MEMORY_USAGE_EVENTS values
         (1100, 281474976710656, 0, 1, 4096, 0, 700, 2, 0), (1200, 281474976710656, 0, 1, 8192, 0, 60, 2, 0),
         (1900, 281474976710656, 0, 1, 4096, 0, 700, 2, 1);`,
    );
    const snapshot = await memoryOfFile(path);
    expect([...replayDevice(snapshot, 0).allocatedBytes]).toEqual([0, 700, 760, 60]);
  });
});

/** What JSON.parse tells of the allocator's events of a device, in order of time. */
function recounted(path: string): Map<string, {bytes: number; total: number; address: number}[]> {
  const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8')) as {
    traceEvents: {name: string; ts: number; pid: number; args: Record<string, number>}[];
  };
  const found = new Map<string, {ts: number; bytes: number; total: number; address: number}[]>();
  for (const {name, ts, pid, args} of traceEvents) {
    if (name !== '[memory]') continue;
    const key = `${String(pid)} ${args['Device Type'] === 0 ? 'CPU' : `GPU ${String(args['Device Id'])}`}`;
    const {Bytes: bytes = 0, 'Total Allocated': total = NaN, Addr: address = NaN} = args;
    found.set(key, [...(found.get(key) ?? []), {ts, bytes, total, address}]);
  }
  return new Map([...found].map(([key, list]) => [key, list.toSorted((a, b) => a.ts - b.ts)]));
}

/** Those that have events of memory with totals; others would add only time. */
const recordings = dataFiles('kineto', '.json.gz').filter(({name}) => name.includes('h100'));

itEachFile(recordings)('$name: every total of PyTorch, and the live blocks at the peak', async ({path}) => {
  const expected = [...recounted(path).values()].filter(list => list.every(({total}) => !Number.isNaN(total)));
  expect(expected).not.toEqual([]);
  const snapshot = await memoryOfFile(path);
  const memories = snapshotDevices(snapshot).map(device => ({device, memory: replayDevice(snapshot, device)}));
  for (const list of expected) {
    const found = memories.find(({device}) => {
      const {length, bytes, address} = eventsOf(snapshot, device);
      return (
        length === list.length && list.every((one, i) => bytes[i] === Math.abs(one.bytes) && address[i] === one.address)
      );
    });
    const levels = [...(found?.memory.allocatedBytes ?? [])].slice(1);
    expect(levels).toEqual(list.map(({total}) => total));
    const peak = found?.memory.peakMoment ?? 0;
    const live = new Map<number, number>();
    for (const {bytes, address} of list.slice(0, peak)) {
      if (bytes > 0) live.set(address, bytes);
      else live.delete(address);
    }
    const {allocations} = found?.memory ?? {};
    const recorded = Array.from(allocations?.bytes ?? [], (bytes, i) => ({bytes, i})).filter(
      ({i}) =>
        (allocations?.fromMoment[i] ?? 0) > 0 &&
        (allocations?.fromMoment[i] ?? 0) <= peak &&
        peak < (allocations?.untilMoment[i] ?? 0),
    );
    expect(recorded.map(({bytes}) => bytes).sort((a, b) => a - b)).toEqual([...live.values()].sort((a, b) => a - b));
  }
});
