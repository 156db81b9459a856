import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {flameLines} from '../../../src/core/flame/flame-text.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {blockNamed, picture} from '../../support/flame-picture.js';
import {kineto, kinetoText} from '../../support/kineto-events.js';
import {temporaryFolder} from '../../support/project.js';
import {itEachFile} from '../../support/each-file.js';
import {dataFiles} from '../../support/real-data.js';

/** A memory event of PyTorch: of the GPU, or of the host. */
function memory(ts: number, bytes: number, {tid = 100, isOnHost = false} = {}) {
  const args = {Bytes: bytes, Addr: ts, 'Device Type': isOnHost ? 0 : 1, 'Device Id': isOnHost ? -1 : 0};
  return {ph: 'i', cat: 'cpu_instant_event', s: 't', name: '[memory]', pid: 100, tid, ts, args};
}

const folder = temporaryFolder();
const ranges = [
  kineto.range('step', 0, 100),
  kineto.range('layer_0', 10, 30),
  kineto.op('aten::mm', 15, 10),
  kineto.range('layer_0', 50, 20),
];

function traceOf(name: string, events: readonly object[]) {
  const path = join(folder, `${name}.json`);
  writeFileSync(path, kinetoText([...ranges, ...events]));
  return openTrace(path);
}

const onGpu = [
  memory(12, 300),
  memory(20, 500),
  memory(24, -500),
  memory(55, 100),
  memory(60, 50, {tid: 200}),
  memory(65, 7000, {isOnHost: true}),
];

describe('the flame graph by memory allocated', () => {
  it('has the bytes of each allocation in the innermost range or operator on its thread', async () => {
    expect(picture(await traceOf('gpu', onGpu), {weight: 'memory'})).toEqual([
      'Memory allocated 0.00–1.00',
      '  step 0.00–0.95',
      '  (outside any range) 0.95–1.00',
      '    layer_0 0.00–0.95',
      '      aten::mm 0.00–0.53',
    ]);
  });

  it('counts the instances that something was allocated in, and no frees', async () => {
    const graph = flameGraph(await traceOf('gpu', onGpu), {weight: 'memory'});
    expect(graph.total).toBe(950);
    expect(flameLines(graph, blockNamed(graph, 'layer_0'))).toEqual([
      'Memory allocated 900 B · 94.7 % of all · self 400 B',
      '2 instances · 450 B on average',
    ]);
  });

  it('is of a window, a range, or the host’s memory where no GPU’s is recorded', async () => {
    const trace = await traceOf('gpu', onGpu);
    expect(flameGraph(trace, {weight: 'memory', selection: {fromNs: 50_000}}).total).toBe(150);
    expect(flameGraph(trace, {weight: 'memory', selection: {range: 'layer_0/0'}}).total).toBe(800);
    expect(flameGraph(trace, {weight: 'memory', selection: {device: -1}}).total).toBe(7000);
    const host = await traceOf('host', [memory(65, 7000, {isOnHost: true})]);
    expect(flameGraph(host, {weight: 'memory'}).total).toBe(7000);
  });

  itEachFile(dataFiles('kineto', '.json.gz'))('has all bytes that $name allocates on its GPUs', async ({path}) => {
    const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: RawEvent[]};
    const bytes = traceEvents
      .filter(({name, args}) => name === '[memory]' && args?.['Device Type'] === 1)
      .reduce((sum, {args}) => sum + Math.max(0, Number(args?.['Bytes'])), 0);
    const trace = await openTrace(path);
    for (const mode of ['merged', 'time', 'inverted'] as const) {
      const graph = flameGraph(trace, {weight: 'memory', mode});
      if (bytes > 0) expect(graph.total).toBe(bytes);
    }
  });
});

interface RawEvent {
  readonly name?: string;
  readonly args?: Readonly<Record<string, unknown>>;
}
