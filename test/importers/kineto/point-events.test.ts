import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {instantKinds} from '../../../src/core/trace/instants.js';
import {TraceBuilder} from '../../../src/core/trace/trace-builder.js';
import {nestedLanes} from '../../../src/core/trace/lanes.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import type {PointEvent} from '../../../src/importers/kineto/point-event.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {DeviceNumbers} from '../../../src/importers/reading/device-numbers.js';
import {PointEvents} from '../../../src/importers/kineto/point-events.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles, hasData} from '../../support/real-data.js';

function event(ph: string, members: Partial<Omit<PointEvent, 'phase'>> = {}): PointEvent {
  const plain = {name: 'e', category: '', pid: '100', tid: '7', id: '', startNs: 0, args: {}, offset: 0};
  return {...plain, ...members, phase: ph.charCodeAt(0)};
}

interface Result {
  readonly trace: Trace;
  readonly notes: readonly string[];
  readonly taken: readonly boolean[];
}

function read(events: readonly PointEvent[], prepare?: (builder: TraceBuilder) => void): Result {
  const builder = new TraceBuilder();
  prepare?.(builder);
  const points = new PointEvents(builder, {
    process: pid => (/^[1-9]\d*$/.test(pid) ? builder.process(pid) : -1),
    deviceNumbers: new DeviceNumbers(),
    thread: (pid, tid) =>
      builder.track({kind: 'thread', process: -1, device: -1, id: `${pid} ${tid}`, name: `${pid}/${tid}`, order: 10}),
  });
  const taken = events.map(one => points.add(one));
  points.finish();
  const trace = builder.finish({
    meta: {format: 'kineto', profiler: 'test', version: null, rank: null, worldSize: null, groupSize: null},
    baseNs: 0n,
    counts: {kernels: 0, memcpys: 0, memsets: 0, apiCalls: 0, cpuOps: 0, ranges: 0, pythonFrames: 0, flows: 0},
    notes: [],
  });
  return {trace, notes: points.notes().map(({text}) => text), taken};
}

const countersOf = ({counters, counterSamples: {atNs, value}}: Trace): unknown[][] =>
  counters.map(({name, unit, process, device, firstSample, endSample}) => [
    name,
    unit,
    process,
    device,
    [...atNs.subarray(firstSample, endSample)],
    [...value.subarray(firstSample, endSample)],
  ]);

const instantsOf = ({instants, strings, tracks}: Trace): unknown[][] =>
  Array.from(instants.atNs, (atNs, row) => [
    instantKinds[instants.kind[row] ?? -1],
    strings.get(instants.name[row] ?? -1),
    tracks[instants.track[row] ?? -1]?.name,
    atNs,
    instants.bytes[row],
    instants.source[row],
  ]);

function slicesOf(trace: Trace): unknown[][] {
  const {slices, strings, tracks} = trace;
  const lanes = nestedLanes(trace);
  return Array.from(slices.startNs, (startNs, row) => [
    tracks[slices.track[row] ?? -1]?.name,
    strings.get(slices.name[row] ?? -1),
    lanes[row],
    startNs,
    slices.durationNs[row],
  ]);
}

const memory = (startNs: number, args: Record<string, unknown>, name = '[memory]') =>
  event('i', {name, category: 'cpu_instant_event', startNs, args, offset: startNs});

describe('PointEvents.add(event)', () => {
  it('makes a counter of each numeric argument, and counts events without one', () => {
    const {trace, notes} = read([
      event('C', {name: 'queue', startNs: 5, args: {waiting: 3, running: 1, state: 'busy'}}),
      event('C', {name: 'queue', startNs: 9, args: {waiting: 2, running: NaN}}),
      event('C', {name: 'queue', id: '0x1', startNs: 9, args: {value: 8}}),
      event('C', {name: 'none', startNs: 9, args: {text: 'x', list: [1], nothing: null}}),
    ]);
    expect(countersOf(trace)).toEqual([
      ['queue · waiting', null, 0, -1, [0, 4], [3, 2]],
      ['queue · running', null, 0, -1, [0], [1]],
      ['queue [0x1]', null, 0, -1, [4], [8]],
    ]);
    expect(notes).toEqual(['1 counter event was left out because it contains no number.']);
  });

  it('gives Kineto’s hardware counters to their GPU, and takes a unit only from a name that says it', () => {
    const {trace} = read([
      event('C', {name: 'SM active (%)', pid: 'GPU 1 Counters', startNs: 1, args: {'': 55.5}}),
      event('C', {name: 'GPU 0 Clock [MHz]', pid: '100', startNs: 1, args: {'GPU 0 Clock [MHz]': 1500}}),
      event('C', {name: 'GPU 0 Utilization', pid: '100', startNs: 1, args: {value: 0.5}}),
      event('C', {name: 'steps', pid: 'PyTorch Profiler', startNs: 1, args: {value: 2}}),
    ]);
    expect(countersOf(trace).map(counter => counter.slice(0, 4).concat(counter[5]))).toEqual([
      ['GPU 0 Clock', 'hertz', -1, 0, 1.5e9],
      ['GPU 0 Utilization', null, -1, 0, 0.5],
      ['SM active (%)', 'percent', -1, 1, 55.5],
      ['PyTorch Profiler · steps', null, -1, -1, 2],
    ]);
  });

  it('makes instants and counters of memory events, per device', () => {
    const {trace, notes} = read([
      memory(10, {'Total Reserved': 2048, 'Total Allocated': 512, Bytes: 512, 'Device Id': 1, 'Device Type': 1}),
      memory(20, {'Total Reserved': 0, 'Total Allocated': 64, Bytes: 64, 'Device Id': -1, 'Device Type': 0}),
      memory(30, {'Total Reserved': 2048, 'Total Allocated': 0, Bytes: -512, 'Device Id': 1, 'Device Type': 1}),
      memory(
        40,
        {Bytes: 1e12, 'Total Reserved': 2048, 'Total Allocated': 0, 'Device Id': 1, 'Device Type': 1},
        '[OutOfMemory]',
      ),
    ]);
    expect(instantsOf(trace)).toEqual([
      ['memory', '[memory]', '100/7', 0, 512, 10],
      ['memory', '[memory]', '100/7', 10, 64, 20],
      ['memory', '[memory]', '100/7', 20, -512, 30],
      ['out_of_memory', '[OutOfMemory]', '100/7', 30, 1e12, 40],
    ]);
    expect(countersOf(trace)).toEqual([
      ['Memory allocated', 'bytes', 0, 1, [0, 20, 30], [512, 0, 0]],
      ['Memory reserved', 'bytes', 0, 1, [0, 20, 30], [2048, 2048, 2048]],
      ['Memory allocated', 'bytes', 0, -1, [10], [64]],
    ]);
    expect(notes).toEqual([]);
  });

  it('takes a device by no possible number for GPU 0, and one that is not told for the CPU', () => {
    const total = (bytes: number, id: unknown) => ({'Total Allocated': bytes, 'Device Id': id, 'Device Type': 1});
    const {trace} = read([
      memory(10, total(1, 1099511627786)),
      memory(20, total(2, -10)),
      memory(30, total(3, -1)),
      memory(40, {'Total Allocated': 4}),
    ]);
    expect([...trace.instants.device]).toEqual([0, 0, -1, -1]);
    expect(trace.counters.map(({device, firstSample, endSample}) => [device, endSample - firstSample])).toEqual([
      [0, 2],
      [-1, 2],
    ]);
  });

  it('adds up what files without totals allocate, in the order of time', () => {
    const {trace} = read([
      memory(30, {Bytes: -100, 'Device Id': 0, 'Device Type': 1}),
      memory(10, {Bytes: 300, 'Device Id': 0, 'Device Type': 1}),
    ]);
    expect(countersOf(trace)).toEqual([
      ['Memory allocated since the recording began', 'bytes', 0, 0, [0, 20], [300, 200]],
    ]);
  });

  it('survives memory events whose arguments are anything', () => {
    for (const odd of ['x', null, {}, [1], NaN, Infinity, true]) {
      const args = {Bytes: odd, 'Total Allocated': odd, 'Total Reserved': odd, 'Device Id': odd, 'Device Type': odd};
      const {trace} = read([memory(1, args)]);
      expect(instantsOf(trace)).toEqual([['memory', '[memory]', '100/7', 0, NaN, 1]]);
      expect(trace.counterSamples.length).toBe(0);
    }
  });

  it('makes instants of other instants, but not of the edges of Kineto’s window', () => {
    const {trace} = read([
      event('i', {name: 'Record Window End', startNs: 900}),
      event('i', {name: 'Iteration Start: PyTorch Profiler', startNs: 1}),
      event('i', {name: 'here', startNs: 50, offset: 3}),
      event('I', {name: 'there', startNs: 60, offset: 4}),
      event('R', {name: 'loaded', startNs: 70, offset: 5}),
    ]);
    expect(instantsOf(trace)).toEqual([
      ['marker', 'here', '100/7', 0, NaN, 3],
      ['marker', 'there', '100/7', 10, NaN, 4],
      ['marker', 'loaded', '100/7', 20, NaN, 5],
    ]);
  });

  it('nests asynchronous events by category and id, and keeps same ids of two categories apart', () => {
    const io = {category: 'io', id: '1'};
    const {trace, notes} = read([
      event('b', {...io, name: 'request', startNs: 0}),
      event('b', {...io, name: 'parse', startNs: 10}),
      event('n', {...io, name: 'header', startNs: 15}),
      event('b', {category: 'net', id: '1', name: 'request', startNs: 12}),
      event('e', {...io, name: 'parse', startNs: 30}),
      event('e', {...io, name: 'request', startNs: 100}),
      event('e', {category: 'net', id: '1', name: '', startNs: 40}),
    ]);
    expect(slicesOf(trace)).toEqual([
      ['io 1', 'request', 0, 0, 100],
      ['io 1', 'parse', 1, 10, 20],
      ['net 1', 'request', 0, 12, 28],
    ]);
    expect(instantsOf(trace)).toEqual([['marker', 'header', 'io 1', 15, NaN, 0]]);
    expect(notes).toEqual([]);
  });

  it('closes asynchronous events by name, whatever was opened since; old S, T and F alike', () => {
    const old = {category: 'old', id: '5'};
    const {trace} = read([
      event('S', {...old, name: 'a', startNs: 0}),
      event('S', {...old, name: 'b', startNs: 5}),
      event('T', {...old, name: 'b', startNs: 6}),
      event('F', {...old, name: 'a', startNs: 20}),
      event('F', {...old, name: 'b', startNs: 30}),
    ]);
    expect(slicesOf(trace)).toEqual([
      ['old 5', 'a', 0, 0, 20],
      ['old 5', 'b', 1, 5, 25],
    ]);
    expect(trace.instants.length).toBe(1);
  });

  it('closes a hundred thousand open events at once, the innermost of a name first', () => {
    const many = 100_000;
    const of = {category: 'c', id: '1'};
    const {trace, notes} = read([
      ...Array.from({length: many}, (_, i) => event('b', {...of, name: i % 2 === 0 ? 'even' : 'odd', startNs: i})),
      ...Array.from({length: many / 2}, (_, i) => event('e', {...of, name: 'even', startNs: many + i})),
      ...Array.from({length: many / 2}, (_, i) => event('e', {...of, name: '', startNs: 2 * many + i})),
    ]);
    expect(notes).toEqual([]);
    expect([...trace.slices.durationNs.subarray(0, 2)]).toEqual([many + many / 2 - 1, 2 * many + many / 2 - 2]);
  });

  it('closes what never ends at the last event, and counts it and ends without a beginning', () => {
    const {trace, notes} = read(
      [
        event('b', {category: 'c', id: '1', name: 'open', startNs: 10}),
        event('e', {category: 'c', id: '2', name: 'never begun', startNs: 20}),
        event('e', {category: 'c', id: '1', name: 'another', startNs: 20}),
        event('C', {startNs: NaN, args: {x: 1}}),
      ],
      builder => {
        const track = builder.track({kind: 'thread', process: -1, device: -1, id: 't', name: 't', order: 1});
        builder.addSlice({track, startNs: 0, durationNs: 500, name: 0, kind: 'cpu_op', source: 0});
      },
    );
    expect(slicesOf(trace).at(-1)).toEqual(['c 1', 'open', 0, 10, 490]);
    expect(notes).toEqual([
      '1 counter or instant was left out because it has no usable time.',
      '1 asynchronous event has no end. GPU Lens ends it at the last event.',
      '2 ends of asynchronous events were left out because they have no beginning.',
    ]);
  });

  it('gives a hundred ids a track each, and all others one', () => {
    const events = Array.from({length: 500}, (_, id) => [
      event('b', {category: 'request', id: String(id), startNs: id}),
      event('e', {category: 'request', id: String(id), startNs: id + 10}),
    ]).flat();
    const {trace} = read(events);
    expect(trace.tracks).toHaveLength(101);
    expect(trace.tracks.at(-1)).toMatchObject({name: 'Other asynchronous events'});
    expect(Math.max(...nestedLanes(trace))).toBe(9);
    expect(trace.slices.durationNs.every(ns => ns === 10)).toBe(true);
  });

  it('leaves other phases to others', () => {
    expect(read(['X', 'B', 'E', 'M', 's', 't', 'f', 'N', 'P'].map(ph => event(ph))).taken).not.toContain(true);
  });
});

interface ChromeEvent {
  readonly ph: string;
  readonly name: string;
  readonly cat?: string;
  readonly pid: number | string;
  readonly tid: number | string;
  readonly id?: number | string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: Record<string, unknown>;
}

describe.skipIf(!hasData)('PointEvents of real Kineto traces', () => {
  itEachFile(dataFiles('kineto', '.json.gz'))(
    '$name gives the instants and samples that JSON.parse counts',
    async ({path}) => {
      const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: ChromeEvent[]};
      const baseUs = Math.floor(traceEvents.find(({ph}) => ph === 'X')?.ts ?? 0);
      const points = traceEvents.filter(({ph}) => 'CiIRbneSTpF'.includes(ph));
      const {trace, notes, taken} = read(
        points.map((one, offset) =>
          event(one.ph, {
            name: one.name,
            category: one.cat ?? '',
            pid: String(one.pid),
            tid: String(one.tid),
            id: String(one.id ?? ''),
            startNs: Math.round((one.ts - baseUs) * 1000),
            args: one.args ?? {},
            offset,
          }),
        ),
      );
      expect(taken).not.toContain(false);
      expect(notes).toEqual([]);
      const allocations = points.filter(({name}) => name === '[memory]');
      // Besides these, the files hold the two edges of Kineto's window alone.
      expect(points.length - allocations.length).toBe(points.length === 0 ? 0 : 2);
      expect(trace.instants.length).toBe(allocations.length);
      const opened = await openTrace(path);
      expect(opened.instants.bytes).toEqual(trace.instants.bytes);
      expect(opened.counterSamples.value).toEqual(trace.counterSamples.value);
      const sum = allocations.reduce((bytes, {args}) => bytes + Number(args?.['Bytes']), 0);
      expect(trace.instants.bytes.reduce((bytes, one) => bytes + one, 0)).toBe(sum);
      const onGpu = allocations.filter(({args}) => args?.['Device Type'] === 1);
      const withReserved = onGpu.filter(({args}) => args?.['Total Reserved'] !== undefined);
      expect(trace.counterSamples.length).toBe(allocations.length + withReserved.length);
      for (const {name, device, firstSample, endSample} of trace.counters) {
        const {value} = trace.counterSamples;
        const of = device < 0 ? allocations.filter(one => !onGpu.includes(one)) : onGpu;
        if (name.endsWith('began')) {
          expect(value[endSample - 1]).toBe(of.reduce((bytes, {args}) => bytes + Number(args?.['Bytes']), 0));
          continue;
        }
        const key = name === 'Memory reserved' ? 'Total Reserved' : 'Total Allocated';
        const expected = [...of].sort((a, b) => a.ts - b.ts).map(({args}) => args?.[key]);
        expect([...value.subarray(firstSample, endSample)]).toEqual(expected);
      }
    },
  );
});
