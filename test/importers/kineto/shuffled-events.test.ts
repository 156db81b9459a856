import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {gpuSummary, traceInfo} from '../../../src/core/questions/info.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {getOrAdd} from '../../../src/core/table/get-or-add.js';
import {taggedRangeKinds} from '../../../src/core/trace/slices.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {expectSame} from '../../support/expect-same.js';
import {isLongSuite} from '../../support/long-tests.js';
import {reportsOfFile, textRows} from '../../support/make-report.js';
import {temporaryFolder} from '../../support/project.js';
import {seededRandom} from '../../support/random.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const reports = [
  ...['cuda_gpu_kern_sum', 'cuda_gpu_kern_gb_sum', 'cuda_gpu_sum', 'cuda_api_sum', 'cuda_kern_exec_sum', 'nvtx_sum'],
  ...['nvtx_gpu_proj_sum', 'nvtx_kern_sum', 'key_averages', 'gpu_timeline', 'launch_sum', 'collective_sum'],
  ...['memory_sum', 'step_breakdown'],
];

interface Event {
  readonly pid?: unknown;
  readonly tid?: unknown;
  readonly ts?: unknown;
  readonly dur?: unknown;
}

/**
 * Events in an order of their own. Of two with one interval on one thread the earlier is the outer one, as nothing else
 * tells: those keep their order.
 */
function shuffled(events: readonly Event[], seed: number): Event[] {
  const random = seededRandom(seed);
  const order = events.map((_, index) => ({index, at: random()}));
  const places = order.sort((a, b) => a.at - b.at).map(({index}) => index);
  const keyOf = ({pid, tid, ts, dur}: Event) => JSON.stringify([pid, tid, ts, dur]);
  const alike = new Map<string, Event[]>();
  for (const event of events) getOrAdd(alike, keyOf(event), () => []).push(event);
  return places.flatMap(index => alike.get(keyOf(events[index] ?? {}))?.shift() ?? []);
}

/** Every figure of a file, rows in an order that does not follow the file's: equal rows have no order. */
async function figuresOf(path: string) {
  const trace = await openTrace(path);
  const sorted = (rows: readonly object[]) => rows.map(row => JSON.stringify(row)).sort();
  const made = await reportsOfFile(path, reports);
  return {
    counts: trace.counts,
    gpu: gpuSummary(trace),
    devices: traceInfo(trace).devices,
    ranges: sorted(rangeRows(trace, 'path', {kinds: [...taggedRangeKinds, 'cpu_op']})),
    reports: Object.fromEntries(made.map(report => [report.name, sorted(textRows(report))])),
  };
}

describe.skipIf(!hasData)('a trace whose events are in another order', () => {
  it.each([
    'bert-small-h100',
    'gpu-user-annotation',
    'torch-compile-triton-mi300',
    // It has the most events.
    ...(isLongSuite ? ['resnet50-v100-2021'] : []),
    'qwen1.5-0.5b-h100',
  ])('%s has the same figures', async name => {
    const path = join(dataFolder, 'kineto', `${name}.json.gz`);
    const json = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: Event[]};
    const expected = await figuresOf(path);
    for (const seed of [1, 2]) {
      const events = shuffled(json.traceEvents, seed);
      expect(events).toHaveLength(json.traceEvents.length);
      expect(events.slice(0, 50)).not.toEqual(json.traceEvents.slice(0, 50));
      const other = join(temporaryFolder(), `${name}-${String(seed)}.json`);
      writeFileSync(other, JSON.stringify({...json, traceEvents: events}));
      expectSame(await figuresOf(other), expected);
    }
  });
});
