import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {gunzipSync} from 'node:zlib';
import {expect, it} from 'vitest';
import {operationOrigins} from '../../../src/core/figures/operation-origins.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {withCapture} from '../../../src/importers/with-capture.js';
import {dataFolder, hasData} from '../../support/real-data.js';

const execution = join(dataFolder, 'graphs', 'vllm-piecewise-execution.json.gz');
const capture = join(dataFolder, 'graphs', 'vllm-piecewise-capture.pt.trace.json.gz');

interface Event {
  readonly cat?: string;
  readonly name: string;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: Readonly<Record<string, unknown>>;
}

const opened = async (path: string) => ({path, trace: await openTrace(path)});

it.skipIf(!hasData)(
  'gives all replayed work of a public pair the operator whose id its captured call has',
  async () => {
    const trace = await withCapture(await opened(execution), await opened(capture));
    expect(workByOperator(trace)).toEqual(recounted());
    const replayed = trace.capturedCalls.filter(row => row >= 0).length;
    expect(replayed).toBe(4 + 23 * 15 + 12);
  },
);

/** Work of what graphs replayed by the operator, ns. */
function workByOperator(trace: Trace): Record<string, number> {
  const {operator} = operationOrigins(trace);
  const {slices, gpuOperations, strings, capturedCalls} = trace;
  const sums: Record<string, number> = {};
  operator.forEach((row, operation) => {
    if ((capturedCalls[operation] ?? -1) < 0) return;
    const name = row < 0 ? '' : strings.get(slices.name[row] ?? -1);
    sums[name] = (sums[name] ?? 0) + (slices.durationNs[gpuOperations.slice[operation] ?? 0] ?? 0);
  });
  return sums;
}

/**
 * The same from the files' own words: the n-th launch of a graph is the n-th capture, the m-th kernel that it ran its m-th
 * call, and the call's external id names the operator.
 */
function recounted(): Record<string, number> {
  const captured = eventsOf(capture);
  const operatorOf = new Map(
    captured.filter(({cat}) => cat === 'cpu_op').map(({name, args}) => [args?.['External id'], name]),
  );
  const graphs: Event[][] = [];
  let isCapturing = false;
  for (const event of captured.filter(({cat}) => cat === 'cuda_runtime')) {
    if (event.name === 'hipStreamBeginCapture') graphs.push([]);
    isCapturing = event.name === 'hipStreamBeginCapture' || (isCapturing && event.name !== 'hipStreamEndCapture');
    if (isCapturing && event.args?.['kernel'] !== undefined) graphs.at(-1)?.push(event);
  }
  const run = eventsOf(execution);
  const launches = run.filter(({name}) => name === 'hipGraphLaunch');
  const sums: Record<string, number> = {};
  launches.forEach((launch, at) => {
    const kernels = run.filter(
      ({cat, args}) => cat === 'kernel' && args?.['correlation'] === launch.args?.['correlation'],
    );
    expect(kernels.map(({name}) => name)).toEqual(graphs[at]?.map(({args}) => args?.['kernel']));
    kernels.forEach(({dur = 0}, node) => {
      const name = operatorOf.get(graphs[at]?.[node]?.args?.['External id']) ?? '';
      sums[name] = Math.round((sums[name] ?? 0) + 1000 * dur);
    });
  });
  return sums;
}

function eventsOf(path: string): Event[] {
  const {traceEvents} = JSON.parse(gunzipSync(readFileSync(path)).toString()) as {traceEvents: Event[]};
  return traceEvents.sort((a, b) => a.ts - b.ts);
}
