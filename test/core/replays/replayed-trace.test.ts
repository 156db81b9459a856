import {mkdtemp, rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import {operationOrigins} from '../../../src/core/figures/operation-origins.js';
import {rangeRows} from '../../../src/core/figures/range-rows.js';
import {flameGraph} from '../../../src/core/questions/flame.js';
import {traceInfo} from '../../../src/core/questions/info.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {withCapture} from '../../../src/importers/with-capture.js';
import {captureEvents, replayEvents, type CapturedCall, type ReplayedKernel} from '../../support/graph-traces.js';
import {kinetoText, type KinetoEvent} from '../../support/kineto-events.js';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gpu-lens-replays-'));
});
afterAll(() => rm(folder, {recursive: true}));

/** The trace of some launches with a capture. */
async function replayed(captured: readonly KinetoEvent[], launched: readonly KinetoEvent[]): Promise<Trace> {
  const opened = async (name: string, events: readonly KinetoEvent[]) => {
    const path = join(folder, name);
    await writeFile(path, kinetoText(events));
    return {path, trace: await openTrace(path)};
  };
  return withCapture(await opened('run.json', launched), await opened('capture.json', captured));
}

/** Operation → name of its operator, "" for none. */
function operatorsOf(trace: Trace): string[] {
  const {operator} = operationOrigins(trace);
  return Array.from(operator, row => (row < 0 ? '' : nameOf(trace, row)));
}

const nameOf = ({slices, strings}: Trace, row: number): string => strings.get(slices.name[row] ?? -1);

const kernels = (...names: string[]): ReplayedKernel[] => names.map((name, at) => ({name, dur: 10 + at}));
const mlp: readonly CapturedCall[] = [
  {operator: 'aten::addmm', module: 'Mlp_0', kernel: 'gemm'},
  {operator: 'aten::relu', module: 'Mlp_0', kernel: 'relu_kernel'},
  {operator: 'aten::mm', module: 'Head_0', kernel: 'gemm'},
];

describe('replays of graphs, with a capture', () => {
  it('have the operators, modules, frames and ranges of the calls that were captured', async () => {
    const trace = await replayed(captureEvents([mlp]), replayEvents([kernels('gemm', 'relu_kernel', 'gemm')]));
    expect(operatorsOf(trace)).toEqual(['aten::addmm', 'aten::relu', 'aten::mm']);
    const {module, frame} = operationOrigins(trace);
    const textOf = (row: number) => nameOf(trace, row);
    expect(Array.from(module, textOf)).toEqual(['nn.Module: Mlp_0', 'nn.Module: Mlp_0', 'nn.Module: Head_0']);
    expect(Array.from(frame, textOf)).toEqual([12, 13, 14].map(line => `model.py(${String(line)}): forward`));
    expect(trace.notes.at(-1)).toMatchObject({
      code: 'capture/matched',
      text: '33.0 µs of 33.0 µs of work that graphs replayed (100 %) has the operators, modules and frames that captured it in capture.json, by the order and the names of their operations.',
    });
  });

  it('keep their launch, their range and every sum', async () => {
    const launches = replayEvents([kernels('gemm', 'relu_kernel', 'gemm'), kernels('gemm', 'relu_kernel', 'gemm')]);
    const trace = await replayed(captureEvents([mlp]), launches);
    const rows = rangeRows(trace, 'name', {});
    // The range around the capture says how the graphs came about, not what they are.
    expect(rows.map(({name, gpuWorkNs, ops, launches: calls}) => [name, gpuWorkNs, ops, calls]).slice(0, 2)).toEqual([
      ['decode', 66_000, 6, 2],
      ['(outside any range)', 0, 0, 0],
    ]);
    const {counts, gpu} = traceInfo(trace);
    expect({kernels: counts.kernels, apiCalls: counts.apiCalls, cpuOps: counts.cpuOps, workNs: gpu.workNs}).toEqual({
      kernels: 6,
      apiCalls: 2,
      cpuOps: 0,
      workNs: 66_000,
    });
  });

  it('change with the order of two calls that launch kernels of one name', async () => {
    const launches = replayEvents([kernels('gemm', 'relu_kernel', 'gemm')]);
    const swapped = await replayed(captureEvents([mlp.toReversed()]), launches);
    expect(operatorsOf(swapped)).toEqual(['aten::mm', 'aten::relu', 'aten::addmm']);
  });

  it('are of the graph in whose order they were launched, where graphs are alike', async () => {
    const layer = (name: string): CapturedCall[] => [
      {operator: 'aten::mm', module: name, kernel: 'gemm'},
      {operator: 'aten::relu', module: name, kernel: 'relu_kernel'},
    ];
    const captured = captureEvents([[{operator: 'aten::embedding', kernel: 'gather'}], ...['A', 'B', 'C'].map(layer)]);
    const step = [kernels('gather'), ...Array.from({length: 3}, () => kernels('gemm', 'relu_kernel'))];
    const trace = await replayed(captured, replayEvents([...step.slice(2), ...step, ...step]));
    const {module} = operationOrigins(trace);
    const names = Array.from(module, row => (row < 0 ? '.' : nameOf(trace, row).slice(-1)));
    // Which layers the first two launches are of cannot be told: the recording began in the middle of a step.
    expect(names.join('')).toBe('....' + '.AABBCC' + '.AABBCC');
    expect(trace.notes.at(-1)?.text).toContain('2 launches fit graphs from different calls and were left alone.');
  });

  it('have nothing where they fit graphs from different calls equally well, and a note says so', async () => {
    const captured = captureEvents([
      [{operator: 'aten::mm', module: 'A', kernel: 'gemm'}],
      [{operator: 'aten::relu', module: 'A', kernel: 'relu_kernel'}],
      [{operator: 'aten::mm', module: 'B', kernel: 'gemm'}],
    ]);
    const trace = await replayed(
      captured,
      replayEvents([kernels('relu_kernel'), kernels('relu_kernel'), kernels('gemm')]),
    );
    expect(operatorsOf(trace)).toEqual(['aten::relu', 'aten::relu', 'aten::mm']);
    await expect(replayed(captured, replayEvents([kernels('gemm')]))).rejects.toMatchObject({
      code: 'capture/does-not-fit',
      message:
        'capture.json is not a capture of this profile’s graphs: the replays fit several graphs that come from different calls.',
    });
  });

  it('fit by order and sort alone where the profiler does not name captured kernels', async () => {
    const unnamed = mlp.map(({operator, module = ''}) => ({operator, module}));
    const trace = await replayed(captureEvents([unnamed]), replayEvents([kernels('sgemm', 'vectorized', 'sgemm')]));
    expect(operatorsOf(trace)).toEqual(['aten::addmm', 'aten::relu', 'aten::mm']);
    expect(trace.notes.at(-1)?.text).toContain('by the order and the sort of their operations alone');
    // A softmax is no matrix product, and Triton's kernels are called as their operators.
    const other = replayEvents([kernels('softmax_warp_forward', 'vectorized', 'sgemm')]);
    await expect(replayed(captureEvents([unnamed]), other)).rejects.toMatchObject({code: 'capture/does-not-fit'});
    const fused = captureEvents([[{operator: 'triton_poi_fused_0'}]]);
    await expect(replayed(fused, replayEvents([kernels('triton_poi_fused_1')]))).rejects.toMatchObject({
      code: 'capture/does-not-fit',
    });
  });

  it('are in the order of the graph’s nodes where these have numbers', async () => {
    const run = replayEvents([
      [
        {name: 'gemm', dur: 10, args: {'graph node id': 2 ** 40 + 3}},
        {name: 'gemm', dur: 11, args: {'graph node id': 2 ** 40 + 1}},
      ],
    ]);
    const captured = captureEvents([
      [
        {operator: 'aten::mm', kernel: 'gemm'},
        {operator: 'aten::bmm', kernel: 'gemm'},
      ],
    ]);
    expect(operatorsOf(await replayed(captured, run))).toEqual(['aten::bmm', 'aten::mm']);
  });

  it('refuse a capture of another batch size or model, and say what differs', async () => {
    const sized = (x: number) => captureEvents([[{operator: 'aten::mm', kernel: 'gemm', grid: [x, 1, 1]}]]);
    const run = replayEvents([[{name: 'gemm', dur: 5, args: {grid: [64, 1, 1], block: [128, 1, 1]}}]]);
    expect(operatorsOf(await replayed(sized(64), run))).toEqual(['aten::mm']);
    await expect(replayed(sized(32), run)).rejects.toThrow(
      'capture.json is not a capture of this profile’s graphs: gemm has the grid and block 64,1,1,128,1,1 instead of 32,1,1,128,1,1 (another batch size?).',
    );
    await expect(
      replayed(captureEvents([mlp]), replayEvents([kernels('gemm', 'gelu_kernel', 'gemm')])),
    ).rejects.toThrow('operation 2 is gelu_kernel instead of relu_kernel (another model?)');
    await expect(replayed(captureEvents([mlp]), replayEvents([kernels('gemm')]))).rejects.toThrow(
      'the first graph that is replayed has 1 operation, and those that were captured have 3',
    );
  });

  it('need a capture that shows one, and a profile that launches graphs', async () => {
    const run = replayEvents([kernels('gemm')]);
    await expect(replayed(run, run)).rejects.toMatchObject({code: 'capture/no-graphs'});
    await expect(replayed(run, captureEvents([mlp]))).rejects.toMatchObject({code: 'capture/no-replays'});
  });

  it('count the launches of graphs in the flame graph, as without a capture', async () => {
    const events = replayEvents([kernels('gemm', 'relu_kernel', 'gemm'), kernels('gemm', 'relu_kernel', 'gemm')]);
    const trace = await replayed(captureEvents([mlp]), events);
    expect(trace.capturedCalls.every(row => row >= 0)).toBe(true);
    expect(flameGraph(trace, {weight: 'launches'}).total).toBe(2);
  });

  it('can have been captured in the same profile', async () => {
    const path = join(folder, 'both.json');
    await writeFile(
      path,
      kinetoText([...captureEvents([mlp]), ...replayEvents([kernels('gemm', 'relu_kernel', 'gemm')])]),
    );
    const profile = {path, trace: await openTrace(path)};
    expect(operatorsOf(await withCapture(profile, profile))).toEqual(['aten::addmm', 'aten::relu', 'aten::mm']);
  });
});
