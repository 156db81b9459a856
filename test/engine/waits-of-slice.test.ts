import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {SliceLink} from '../../src/core/questions/slice-links.js';
import {sliceDetails, type SliceDetails} from '../../src/core/questions/slice-details.js';
import {synchronisationsIn, waitOf} from '../../src/core/questions/wait-links.js';
import {sliceKinds} from '../../src/core/trace/slices.js';
import {TraceBuilder} from '../../src/core/trace/trace-builder.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {waitsOfSlice} from '../../src/engine/waits-of-slice.js';
import {fileStamp} from '../../src/importers/files/file-identity.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readSliceArguments} from '../../src/importers/slice-arguments.js';
import {describeEachFile} from '../support/each-file.js';
import {dataFiles} from '../support/real-data.js';

interface Waits {
  readonly trace: Trace;
  readonly waits: (slice: number) => Promise<SliceLink[]>;
}

async function open(path: string): Promise<Waits> {
  const trace = await openTrace(path);
  const file = {path, stamp: await fileStamp(path), life: new AbortController().signal};
  return {trace, waits: slice => waitsOfSlice(trace, slice, row => readSliceArguments(file, trace, row))};
}

/** The synchronisations of a trace. */
function synchronisations(trace: Trace): SliceDetails[] {
  return [...trace.slices.kind.keys()]
    .filter(row => sliceKinds[trace.slices.kind[row] ?? 0] === 'cuda_sync')
    .flatMap(row => sliceDetails(trace, row) ?? []);
}

const endOf = ({startNs, durationNs}: SliceDetails) => startNs + durationNs;
const isOperation = ({kind}: SliceDetails) => ['kernel', 'gpu_memcpy', 'gpu_memset'].includes(kind);
/** The clocks of CPU and GPU agree to some µs. */
const clockNs = 20_000;

interface Event {
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: Readonly<Record<string, number | undefined>>;
}

describeEachFile(dataFiles('kineto', 'alexnet-cuda-sync.json.gz'))('waitsOfSlice(trace, slice) of $name', ({path}) => {
  it('is for a stream that waits the work before the record of its event, as the file itself has it', async () => {
    const {trace, waits} = await open(path);
    const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: Event[]};
    const originUs = Math.min(...traceEvents.filter(event => 'dur' in event).map(({ts}) => ts));
    const calls = new Map(
      traceEvents.filter(({cat}) => cat === 'cuda_runtime').map(call => [call.args?.['correlation'], call]),
    );
    const operations = traceEvents.filter(({cat}) => cat === 'kernel' || cat === 'gpu_memcpy' || cat === 'gpu_memset');
    const launchUs = (operation: Event) => calls.get(operation.args?.['correlation'])?.ts ?? NaN;
    const events = traceEvents.filter(({cat, name}) => cat === 'cuda_sync' && name === 'Stream Wait Event');
    let withWork = 0;
    for (const sync of synchronisations(trace).filter(({name}) => name === 'Stream Wait Event')) {
      const event = events.find(
        ({ts, args}) =>
          Math.abs((ts - originUs) * 1000 - sync.startNs) < 1 &&
          trace.tracks[sync.track]?.name.includes(String(args?.['stream'])),
      );
      const record = calls.get(event?.args?.['wait_on_cuda_event_record_corr_id']);
      const last = operations
        .filter(
          ({args}) =>
            args?.['stream'] === event?.args?.['wait_on_stream'] && args?.['device'] === event?.args?.['device'],
        )
        .filter(operation => launchUs(operation) < (record?.ts ?? NaN))
        .sort((a, b) => launchUs(a) - launchUs(b))
        .at(-1);
      const links = await waits(sync.slice);
      const into = links.filter(({to}) => to.slice === sync.slice);
      expect(into.filter(({from}) => isOperation(from)).map(({from}) => from.startNs)).toEqual(
        last ? [(last.ts - originUs) * 1000] : [],
      );
      expect(into.filter(({from}) => !isOperation(from)).map(({from}) => from.name)).toEqual(
        record ? [record.name] : [],
      );
      if (last) withWork++;
      for (const {to} of links.filter(({from}) => from.slice === sync.slice)) {
        expect(trace.tracks[to.track]?.name).toBe(`Stream ${String(event?.args?.['stream'])}`);
        // What waits there does not begin before what it waits for has ended.
        if (last) expect(to.startNs).toBeGreaterThanOrEqual((last.ts + last.dur - originUs) * 1000);
      }
    }
    expect(events).toHaveLength(20);
    expect(withWork).toBeGreaterThan(0);
  });
});

describeEachFile([
  ...dataFiles('kineto', 'alexnet-cuda-sync.json.gz'),
  ...dataFiles('nsys', 'power-iteration-t4.sqlite'),
  ...dataFiles('nsys', 'cs336-2.7b-a100.sqlite'),
])('waitsOfSlice(trace, slice) of $name', ({path}) => {
  it('is for a CPU that waits what the stream did last, which ends when the wait does, at the latest', async () => {
    const {trace, waits} = await open(path);
    const syncs = synchronisations(trace).filter(({name}) => /^(stream|context) sync$/i.test(name));
    let found = 0;
    for (const sync of syncs.slice(0, 60)) {
      const links = await waits(sync.slice);
      expect(links.length).toBeLessThanOrEqual(1);
      for (const {kind, from, to} of links) {
        expect([kind, to.slice, isOperation(from)]).toEqual(['wait', sync.slice, true]);
        expect(endOf(from)).toBeLessThanOrEqual(endOf(sync) + clockNs);
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });

  it('is for the API call that waits the same', async () => {
    const {trace, waits} = await open(path);
    let found = 0;
    for (let call = 0; call < trace.apiCalls.length && found < 3; call++) {
      const slice = sliceDetails(trace, trace.apiCalls.slice[call] ?? -1);
      if (!slice || !/StreamSynchronize|DeviceSynchronize/.test(slice.name)) continue;
      for (const {from, to} of await waits(slice.slice)) {
        expect([to.slice, isOperation(from)]).toEqual([slice.slice, true]);
        expect(endOf(from)).toBeLessThanOrEqual(endOf(slice) + clockNs);
        found++;
      }
    }
    expect(found).toBeGreaterThan(0);
  });
});

describe('waitsOfSlice(trace, slice) of two processes with the same correlation ids', () => {
  /** Each process launches a kernel as its call 1 and waits for its stream as its call 2; times in µs. */
  function twoProcesses(): Trace {
    const builder = new TraceBuilder();
    const name = (text: string) => builder.strings.intern(text);
    for (const [process, laterUs] of ['1', '2'].map((id, at) => [builder.process(id), at] as const)) {
      const id = String(process);
      const thread = builder.track({kind: 'thread', process, device: -1, id, name: `main ${id}`, order: 0});
      const stream = builder.track({kind: 'stream', process, device: 0, id: `s${id}`, name: 'Stream 7', order: 1});
      const call = (text: string, atUs: number, us: number, correlation: number) => {
        const slice = builder.addSlice({
          track: thread,
          startNs: (atUs + laterUs) * 1000,
          durationNs: us * 1000,
          name: name(text),
          kind: 'cuda_runtime',
          source: 0,
        });
        builder.addApiCall(slice, process, correlation);
      };
      call('cudaLaunchKernel', 0, 1, 1);
      call('cudaStreamSynchronize', 10, 80, 2);
      const kernel = builder.addSlice({
        track: stream,
        startNs: (20 + laterUs) * 1000,
        durationNs: 50_000,
        name: name(`kernel ${id}`),
        kind: 'kernel',
        source: 0,
      });
      builder.addGpuOperation(kernel, {process, device: 0, stream: 7, correlation: 1});
      // Others wait meanwhile, shortly, on tracks that come before.
      for (const [at, us] of [...Array.from({length: 9}, () => 2), 80].entries()) {
        const track = builder.track({
          kind: 'other',
          process,
          device: 0,
          id: `w${id} ${String(at)}`,
          name: '',
          order: at,
        });
        const startUs = us === 80 ? 10 : 20 + at;
        builder.addSlice({
          track,
          startNs: (startUs + laterUs) * 1000,
          durationNs: us * 1000,
          name: name('stream sync'),
          kind: 'cuda_sync',
          source: at,
        });
      }
    }
    const counts = {fileEvents: 0, skipped: 0};
    return builder.finish({meta: {} as never, baseNs: 0n, counts: counts as never, notes: []});
  }
  const trace = twoProcesses();
  const called = (text: string) =>
    [...trace.slices.name.keys()].filter(row => trace.strings.get(trace.slices.name[row] ?? 0) === text);
  const isLong = (row: number) => trace.slices.durationNs[row] === 80_000;
  const read = (row: number) =>
    Promise.resolve(isLong(row) ? [{name: 'correlationId', value: '2'}] : [{name: 'correlationId', value: '99'}]);
  const kernelsBefore = async (slice: number) => (await waitsOfSlice(trace, slice, read)).map(({from}) => from.name);

  it('is of the own process, for the call and for the synchronisation', async () => {
    const ofCalls = await Promise.all(called('cudaStreamSynchronize').map(kernelsBefore));
    expect(ofCalls).toEqual([['kernel 0'], ['kernel 1']]);
    const ofWaits = await Promise.all(called('stream sync').filter(isLong).map(kernelsBefore));
    expect(ofWaits).toEqual([['kernel 0'], ['kernel 1']]);
  });

  it('looks at what begins and ends with the call first, and reads nothing for a call that does not wait', () => {
    for (const call of called('cudaStreamSynchronize')) {
      const candidates = synchronisationsIn(trace, call);
      expect(candidates).toHaveLength(8);
      expect(candidates.map(isLong)).toEqual([true, ...Array.from({length: 7}, () => false)]);
    }
    for (const call of called('cudaLaunchKernel')) expect(synchronisationsIn(trace, call)).toEqual([]);
  });
});

it('waitOf(args) reads both spellings, and takes no number that stands for none', () => {
  const args = (of: Record<string, string>) => Object.entries(of).map(([name, value]) => ({name, value}));
  expect(waitOf(args({stream: '20', wait_on_stream: '7', correlation: '5170'}))).toEqual({
    stream: 20,
    recordedOn: 7,
    recordedBy: null,
    correlation: 5170,
  });
  expect(waitOf(args({streamId: '4294967295', correlationId: '-1', wait_on_stream: '1.5'}))).toEqual({
    stream: null,
    recordedOn: null,
    recordedBy: null,
    correlation: null,
  });
});
