import {readFileSync} from 'node:fs';
import {gunzipSync} from 'node:zlib';
import {beforeAll, describe, expect, it} from 'vitest';
import {pathAnswer, type PathAnswer} from '../../../src/core/what-if/recorded/path-answer.js';
import {pathSharers} from '../../../src/core/what-if/recorded/path-shares.js';
import {recordedPath, type RecordedPath} from '../../../src/core/what-if/recorded/recorded-path.js';
import {dependencyKinds} from '../../../src/core/what-if/replay/replay-graph.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {GpuProgram} from '../../support/gpu-program.js';
import {kineto} from '../../support/kineto-events.js';
import {dataFiles, hasData, noData} from '../../support/real-data.js';
import {skipTest} from '../../support/skip-test.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const us = 1000;

function pathOf(trace: Trace): RecordedPath {
  return recordedPath(trace, {fromNs: 0, toNs: Infinity});
}

function fileOf(name: string): string {
  const file = dataFiles('critical-path', '.json.gz').find(({path}) => path.endsWith(`/${name}.json.gz`));
  if (!file) throw new RangeError(`There is no ${name}.`);
  return file.path;
}

describe('recordedPath(trace, window)', () => {
  it('counts time in operators and calls, and none between the outermost operators', async () => {
    // a 0…100 with b 20…60 inside, then 50 µs of nothing, then c 150…180: 100 + 30.
    const trace = await traceOfEvents([kineto.op('a', 0, 100), kineto.op('b', 20, 40), kineto.op('c', 150, 30)]);
    const path = pathOf(trace);
    expect(path.ns).toBe(130 * us);
    expect(path.slices).toHaveLength(3);
    // Six moments in a row.
    expect(path.pieces).toHaveLength(5);
    expect([...path.slackNs.values()]).toEqual([0, 0, 0]);
  });

  it('goes over the GPU where it holds the step, and tells by how much kernels could be longer', async () => {
    // Ten kernels of 50 µs, one behind the other: the chain is the first launch and all kernels.
    const held = await traceOfEvents(new GpuProgram().launches(10, {gpu: 50, cpu: 5}).events);
    const {operations, pathNs} = pathAnswer(held, null, null);
    const first = operations.at(0)?.startNs ?? NaN;
    expect(operations.every(({isCritical, slackNs}) => isCritical && slackNs === 0)).toBe(true);
    expect(pathNs).toBeGreaterThanOrEqual(500 * us);
    expect(pathNs).toBeLessThanOrEqual(500 * us + first + 10 * us);
  });

  it('is empty where nothing was recorded, and says so', async () => {
    const trace = await traceOfEvents([kineto.op('a', 0, 100)]);
    expect(recordedPath(trace, {fromNs: 200 * us, toNs: 300 * us})).toMatchObject({ns: 0, pieces: []});
    expect(() => pathAnswer(trace, null, 'unheard of')).toThrow('The profile has no range "unheard of".');
  });
});

interface OverlayEvent {
  readonly ph: string;
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur: number;
  readonly args?: {readonly critical?: 1 | boolean; readonly type?: string};
}

describe('recordedPath(trace, window) of Meta’s Holistic Trace Analysis', () => {
  let trace: Trace;

  beforeAll(async () => {
    if (hasData) trace = await openTrace(fileOf('simple-add'));
  });

  it('goes through the events that its overlay marks, with as many edges of each kind', context => {
    if (!hasData) skipTest(context, noData);
    const text = gunzipSync(readFileSync(fileOf('simple-add.hta-overlay'))).toString();
    const {traceEvents} = JSON.parse(text) as {readonly traceEvents: readonly OverlayEvent[]};
    const originUs = Math.min(...traceEvents.filter(({ph}) => ph === 'X').map(({ts}) => ts));
    const marked = traceEvents
      .filter(({ph, args}) => ph === 'X' && args?.critical === 1)
      .map(({name, ts, dur}) => `${name} ${String(ts - originUs)} ${String(dur)}`);
    const path = pathOf(trace);
    const own = Array.from(path.slices, row => textOf(trace, row));
    expect(marked).toHaveLength(600);
    expect(own.sort()).toEqual(marked.sort());
    const drawn = new Map([
      ['thread', 'critical_path_dependency'],
      ['launch', 'critical_path_kernel_launch_delay'],
      ['sync', 'critical_path_sync_dependency'],
    ]);
    for (const [kind, type] of drawn) {
      const edges = traceEvents.filter(({ph, args}) => ph === 's' && args?.critical === true && args.type === type);
      expect(path.pieces.filter(piece => piece.kind === kind)).toHaveLength(edges.length);
    }
  });

  it('has the events, edges and nodes that its tests assert for a range', context => {
    if (!hasData) skipTest(context, noData);
    const answer = pathAnswer(trace, null, '[param|pytorch.model.alex_net|0|0|0|measure|forward]/1');
    expect(answer).toMatchObject({events: 159, edges: 314, nodes: 315});
    for (const by of pathSharers) expect(Math.abs(sumOf(answer, by) - answer.pathNs)).toBeLessThan(100);
  });

  it('waits for kernels where threads and streams synchronise with events, in no time of its own', async context => {
    if (!hasData) skipTest(context, noData);
    for (const [name, kind] of [
      ['cuda-event-sync', 'sync'],
      ['cuda-event-sync-multi-stream', 'sync'],
      ['cuda-event-sync-multi-stream', 'event'],
    ] as const) {
      const {graph, pieces} = pathOf(await openTrace(fileOf(name)));
      const weights = Array.from(graph.dependencies.ns).filter(
        (_, at) => graph.dependencies.kind[at] === dependencyKinds.indexOf(kind),
      );
      expect(weights.length).toBeGreaterThan(0);
      expect(new Set(weights)).toEqual(new Set([0]));
      expect(pieces.length).toBeGreaterThan(0);
    }
  });
});

/** Name, start and duration in whole µs. */
function textOf({slices, strings}: Trace, row: number): string {
  const {
    name = -1,
    startNs = NaN,
    durationNs = NaN,
  } = {
    name: slices.name[row],
    startNs: slices.startNs[row],
    durationNs: slices.durationNs[row],
  };
  return `${strings.get(name)} ${String(startNs / us)} ${String(durationNs / us)}`;
}

function sumOf({shares}: PathAnswer, by: (typeof pathSharers)[number]): number {
  return shares[by].reduce((sum, {ns}) => sum + ns, 0);
}
