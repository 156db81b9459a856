import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import type {SliceLink} from '../../src/core/queries/slice-links.js';
import {sliceDetails, type SliceDetails} from '../../src/core/queries/slice-details.js';
import {waitOf} from '../../src/core/queries/wait-links.js';
import {sliceKinds} from '../../src/core/trace/slices.js';
import type {Trace} from '../../src/core/trace/trace.js';
import {waitsOfSlice} from '../../src/engine/waits-of-slice.js';
import {fileStamp} from '../../src/importers/cache/file-identity.js';
import {openTrace} from '../../src/importers/open-trace.js';
import {readSliceArguments} from '../../src/importers/slice-arguments.js';
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

describe.each(dataFiles('kineto', 'alexnet-cuda-sync.json.gz'))('waitsOfSlice(trace, slice) of $name', ({path}) => {
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

describe.each([
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
