import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {getOrAdd} from '../../../src/core/table/get-or-add.js';
import {reportOfFile, reportOfTrace, textRows} from '../../support/make-report.js';
import {dataFolder, hasData} from '../../support/real-data.js';
import {traceFromText} from '../../support/trace-from-text.js';

it('launch_sum tells latency, queue delay and queue depth of each stream', () => {
  const trace = traceFromText(`
    call            AABBCC   D
    stream 7          AAAABBCC D
  `);
  const {columns, rows} = reportOfTrace(trace, 'launch_sum');
  const row = Object.fromEntries(columns.map(({title}, at) => [title, rows.cells(0)[at]]));
  // From call to start: A 2, B 4, C 4, D 2 µs; the calls last 2, 2, 2 and 1.
  expect(row).toMatchObject({
    Strm: 7,
    Launches: 4,
    Early: 0,
    'Latency Avg': 3000,
    'Latency Max': 4000,
    'Delay Avg': 1250,
    'Delay Min': 0,
    'Max Depth': 2,
    // 12 µs of waiting in the 11 µs from A's call to D's start.
    'Avg Depth': 1.1,
  });
});

interface JsonEvent {
  readonly ph: string;
  readonly cat?: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: Readonly<Record<string, number>>;
}

/** The calls of a file with the first operation of each, as its JSON has them. */
function launchesIn(path: string): {call: JsonEvent; operation: JsonEvent}[] {
  const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: JsonEvent[]};
  const calls = new Map<number, JsonEvent>();
  const firsts = new Map<number, JsonEvent>();
  for (const event of traceEvents.filter(({ph}) => ph === 'X')) {
    const correlation = event.args?.['correlation'] ?? NaN;
    if (/^cuda_(runtime|driver)$/.test(event.cat ?? '')) calls.set(correlation, event);
    else if (/^(kernel|gpu_mem)/.test(event.cat ?? '') && event.ts < (firsts.get(correlation)?.ts ?? Infinity))
      firsts.set(correlation, event);
  }
  return [...firsts].flatMap(([correlation, operation]) => {
    const call = calls.get(correlation);
    return call ? [{call, operation}] : [];
  });
}

/** Latencies, delays and the deepest queue of the launches of each stream, counted from the file itself. */
function queuesIn(path: string): Map<string, {latencies: number[]; delays: number[]; most: number}> {
  const launches = launchesIn(path);
  // Epoch times in ns are beyond what a double holds: the first call is subtracted in the file's own µs.
  const firstUs = Math.min(...launches.map(({call}) => call.ts));
  const ns = (us: number) => Math.round(1000 * (us - firstUs));
  const streams = new Map<string, {latencies: number[]; delays: number[]; changes: [atNs: number, by: number][]}>();
  for (const {call, operation} of launches) {
    const key = `${String(operation.args?.['device'])} ${String(operation.args?.['stream'])}`;
    const stream = getOrAdd(streams, key, () => ({latencies: [], delays: [], changes: []}));
    const latencyNs = Math.max(0, ns(operation.ts) - ns(call.ts));
    stream.latencies.push(latencyNs);
    stream.delays.push(Math.max(0, latencyNs - Math.round(1000 * call.dur)));
    stream.changes.push([Math.min(ns(call.ts), ns(operation.ts)), 1], [ns(operation.ts), -1]);
  }
  return new Map(
    [...streams].map(([key, {latencies, delays, changes}]) => {
      // What starts at a moment has left the queue before what is called then comes in.
      changes.sort(([a, inA], [b, inB]) => a - b || inA - inB);
      let [depth, most] = [0, 0];
      for (const [, by] of changes) most = Math.max(most, (depth += by));
      return [key, {latencies, delays, most}];
    }),
  );
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? NaN;
  return (at(Math.floor((sorted.length - 1) / 2)) + at(Math.floor(sorted.length / 2))) / 2;
}

describe.skipIf(!hasData)('launch_sum of real traces', () => {
  it.each(['ddp-rank-0-of-128', 'qwen1.5-0.5b-h100', 'bert-small-h100'])(
    'of %s has the latencies, delays and depths that the file’s events have',
    async name => {
      const path = join(dataFolder, 'kineto', `${name}.json.gz`);
      const rows = textRows(await reportOfFile(path, 'launch_sum'));
      const expected = queuesIn(path);
      expect(rows.map(row => `${row['DevId'] ?? ''} ${row['Strm'] ?? ''}`).sort()).toEqual([...expected.keys()].sort());
      for (const row of rows) {
        const {latencies, delays, most} = expected.get(`${row['DevId'] ?? ''} ${row['Strm'] ?? ''}`) ?? {
          ...{latencies: [], delays: [], most: 0},
        };
        expect(row).toMatchObject({
          Launches: String(latencies.length),
          'Latency Avg (ns)': mean(latencies).toFixed(1),
          'Latency Med (ns)': median(latencies).toFixed(1),
          'Latency Max (ns)': String(Math.max(...latencies)),
          'Delay Avg (ns)': mean(delays).toFixed(1),
          'Delay Med (ns)': median(delays).toFixed(1),
          'Delay Min (ns)': String(Math.min(...delays)),
          'Max Depth': String(most),
        });
      }
    },
  );

  it('of ns-resolution-rank0 say that the GPU is the bottleneck: launches wait for 77.2 ms in the middle', async () => {
    const [row] = textRows(await reportOfFile(join(dataFolder, 'kineto', 'ns-resolution-rank0.json.gz'), 'launch_sum'));
    expect(Number(row?.['Latency Med (ns)']) / 1e6).toBeCloseTo(77.2, 1);
  });
});
