import {join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {systemPreset} from '../../../src/core/estimate/system-presets.js';
import type {OperatorInputs} from '../../../src/core/figures/operator-inputs.js';
import {predictGpu} from '../../../src/core/predicted-gpu/predict-gpu.js';
import {predictedStep} from '../../../src/core/predicted-gpu/predicted-step.js';
import {namesThat} from '../../../src/core/trace/names-that.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {parseChange} from '../../../src/core/what-if/changes/parse-change.js';
import {openTrace} from '../../../src/importers/open-trace.js';
import {loadReportDetails} from '../../../src/importers/report-details.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
import {project} from '../../support/project.js';
import {traceOfEvents} from '../../support/trace-of-events.js';

const matrix: OperatorInputs = {
  dims: [
    [512, 512],
    [512, 512],
  ],
  types: ['float', 'float'],
  values: ['', ''],
};
const four: OperatorInputs = {dims: [[4], [4]], types: ['float', 'float'], values: ['', '']};
const one: OperatorInputs = {dims: [[]], types: ['float'], values: ['']};
const number: OperatorInputs = {dims: [[], []], types: ['float', 'double'], values: ['', '']};

const h100 = systemPreset('h100');
if (!h100) throw new Error('There is no preset of the H100.');

/** The inputs of operators by their names. */
function shapesOf(trace: Trace, inputs: Readonly<Record<string, OperatorInputs>>): Map<number, OperatorInputs> {
  const {slices, strings} = trace;
  const isKnown = namesThat(trace, name => name in inputs);
  const rows = Array.from(slices.name.keys()).filter(isKnown);
  return new Map(rows.flatMap(row => [[row, inputs[strings.get(slices.name[row] ?? 0)]] as const]).flatMap(known));
}

function known([row, inputs]: readonly [number, OperatorInputs | undefined]): [number, OperatorInputs][] {
  return inputs ? [[row, inputs]] : [];
}

const product: OperatorInputs = {
  dims: [[512], [512, 512], [512, 512]],
  types: ['float', 'float', 'float'],
  values: ['', '', ''],
};

function kernelNames({slices, strings, gpuOperations}: Trace): string[] {
  return Array.from(gpuOperations.slice, row => strings.get(slices.name[row] ?? 0));
}

const inputs = {'aten::add': four, 'aten::mm': matrix, 'aten::_local_scalar_dense': one, 'aten::copy_': number};

async function predict(events: readonly KinetoEvent[]) {
  const trace = await traceOfEvents(events);
  return {trace, shapes: shapesOf(trace, inputs)};
}

const step = [
  kineto.range('ProfilerStep#1', 0, 100),
  kineto.op('aten::add', 5, 5),
  kineto.op('aten::mm', 10, 50),
  kineto.op('aten::_local_scalar_dense', 70, 5),
];

describe('a recording of the CPU, predicted for a GPU', () => {
  it('launches, runs and waits as worked out by hand', async () => {
    const {trace, shapes} = await predict(step);
    const answer = predictedStep(trace, shapes, h100, {step: 1, automatic: []});
    // add: 5 to 10, as an operator takes 5 (the shortest) + 5 µs and this one less; its kernel runs from 12 to 15 (the floor).
    // mm: 10 to 20; 2 · 512³ / 66.9 TFLOP/s = 4.012 µs, 10 + 4.012 / 0.532 = 17.542 µs, from 22 to 39.542.
    // .item() begins at 30, and waits until then; 25 µs later the step ends.
    expect(answer).toMatchObject({measuredNs: 100_000, system: 'h100'});
    expect(answer.predictedNs).toBeCloseTo(64_542, -1);
    expect(answer.predictedGpuWorkNs).toBeCloseTo(3000 + 17_542, -1);
    const [low = 0, high = 0] = answer.intervalNs ?? [];
    // Faster by 1.6: the operators take 5 µs, mm's kernel 10.96 µs; it is done before the wait.
    expect(low).toBeCloseTo(100_000 - 45_000, -1);
    // Slower by 1.6: mm takes 20 µs of the thread, and ends at 32 + 28.07.
    expect(high).toBeCloseTo(32_000 + 28_067 + 25_000, -2);
  });

  it('makes changes in the predicted step, as worked out by hand', async () => {
    const {trace, shapes} = await predict(step);
    const withChange = (text: string) => {
      const change = parseChange(text);
      if (typeof change === 'string') throw new Error(change);
      return predictedStep(trace, shapes, h100, {step: 1, automatic: [], changes: [change]});
    };
    // mm's kernel takes half of 17.542 µs, from 22 to 30.771; .item() waits until then, 25 µs before the end.
    const faster = withChange('faster=≈ aten::mm:2');
    expect(faster.predictedNs).toBeCloseTo(30_771 + 25_000, -1);
    expect(faster.intervalNs?.[0]).toBeLessThan(faster.predictedNs ?? 0);
    expect(faster.predictedGpuWorkNs).toBeCloseTo(3000 + 17_542, -1);
    expect(faster.notes.at(-1)?.code).toBe('predicted-gpu/without-changes');
    // Nobody knows what the kernels would compute in.
    const bf16 = withChange('precision=bf16');
    expect(bf16).toMatchObject({predictedNs: null, intervalNs: null, replayedNs: faster.replayedNs});
    expect(bf16.notes.map(({code}) => code)).toContain('what-if/unknown');
  });

  it('takes the innermost operator whose cost is known, once', async () => {
    const events = [kineto.op('aten::linear', 0, 60), kineto.op('aten::mm', 5, 50), kineto.op('aten::add', 60, 5)];
    const {trace, shapes} = await predict(events);
    expect(kernelNames(predictGpu(trace, shapes, h100).likely)).toEqual(['≈ aten::mm', '≈ aten::add']);
  });

  it('takes a product, not the copy of its bias', async () => {
    const events = [kineto.op('aten::addmm', 0, 60), kineto.op('aten::copy_', 5, 10), kineto.op('aten::mm', 60, 50)];
    const trace = await traceOfEvents(events);
    const shapes = shapesOf(trace, {'aten::addmm': product, 'aten::copy_': four, 'aten::mm': matrix});
    expect(kernelNames(predictGpu(trace, shapes, h100).likely)).toEqual(['≈ aten::addmm', '≈ aten::mm']);
  });

  it('predicts the products of a recorded model with biases', async () => {
    const path = join(project, 'test', 'fixtures', 'key-averages', 'shapes.pt.trace.json.gz');
    const trace = await openTrace(path);
    const {allShapes: shapes} = await loadReportDetails(path, trace, new Set(['allShapes']));
    const count = (name: string) => trace.slices.name.filter(text => trace.strings.get(text) === name).length;
    const names = kernelNames(predictGpu(trace, shapes ?? new Map(), h100).likely);
    expect(count('aten::addmm')).toBe(8);
    expect(names.filter(name => name === '≈ aten::addmm')).toHaveLength(8);
    expect(names).not.toContain('≈ aten::resolve_conj');
  });

  it('computes convolutions of float32 in TF32 where the GPU has it, as PyTorch does by default', async () => {
    const trace = await traceOfEvents([kineto.op('aten::convolution', 0, 500)]);
    const convolution: OperatorInputs = {
      dims: [[32, 256, 14, 14], [256, 256, 3, 3], [256]],
      types: ['float', 'float', 'float'],
      values: ['', '', '', '[1, 1]', '[1, 1]', '[1, 1]', 'False', '[0, 0]', '1'],
    };
    const kernelNs = (id: string) => {
      const preset = systemPreset(id);
      if (!preset) throw new Error(`There is no preset ${id}.`);
      const shapes = shapesOf(trace, {'aten::convolution': convolution});
      const {slices, gpuOperations} = predictGpu(trace, shapes, preset).likely;
      return Array.from(gpuOperations.slice, row => slices.durationNs[row]);
    };
    const flops = 2 * 32 * 14 ** 2 * 256 ** 2 * 9;
    expect(kernelNs('h100')).toEqual([expect.closeTo(10_000 + flops / 494.7e3 / 0.149, -1)]);
    expect(kernelNs('v100')).toEqual([expect.closeTo(10_000 + flops / 15.7e3 / 0.149, -1)]);
    expect(kernelNs('mi300x')).toEqual([expect.closeTo(6000 + flops / 163.4e3 / 0.507, -1)]);
  });

  it('leaves a thread that runs beside the steps, and another process, as they are', async () => {
    const beside = [kineto.op('aten::mm', 20, 700, {}, 300)];
    const other = [kineto.op('aten::mm', 0, 900)].map(event => ({...event, pid: 200}));
    const {trace, shapes} = await predict([...step, ...beside, ...other]);
    const answer = predictedStep(trace, shapes, h100, {step: 1, automatic: []});
    expect(answer.predictedNs).toBeCloseTo(64_542, -1);
    expect(answer.predictedGpuWorkNs).toBeCloseTo(3000 + 17_542, -1);
  });

  it('counts the work of the steps alone, and begins the first one with an idle GPU', async () => {
    const large: OperatorInputs = {
      dims: [
        [8192, 8192],
        [8192, 8192],
      ],
      types: ['float', 'float'],
      values: ['', ''],
    };
    const later = step.map(event => ({...event, ts: 1000 + (event as unknown as {ts: number}).ts}));
    const trace = await traceOfEvents([kineto.op('aten::bmm', 0, 900), ...later]);
    const shapes = shapesOf(trace, {...inputs, 'aten::bmm': large});
    const {predictedNs, predictedGpuWorkNs} = predictedStep(trace, shapes, h100, {step: null, automatic: []});
    expect(predictedNs).toBeCloseTo(64_542, -1);
    expect(predictedGpuWorkNs).toBeCloseTo(3000 + 17_542, -1);
  });

  it('takes a recording without steps as one, from the first to the last moment of its thread', async () => {
    const {trace, shapes} = await predict(step.slice(1));
    const answer = predictedStep(trace, shapes, h100, {step: null, automatic: []});
    // From the first operator at 5 to the end of the last at 75, of which 64.542 - 5 - 25 are left.
    expect(answer).toMatchObject({measuredNs: 70_000, replayedNs: 70_000});
    expect(answer.predictedNs).toBeCloseTo(34_542, -1);
  });

  it('lets the CPU run no further ahead than the queue of launches is long', async () => {
    const events = Array.from({length: 1500}, (_, at) => kineto.op('aten::mm', 10 * at, 9));
    const {trace, shapes} = await predict([kineto.range('ProfilerStep#1', 0, 15_000), ...events]);
    const {likely} = predictGpu(trace, shapes, h100);
    const {slices, apiCalls, gpuOperations} = likely;
    const endOf = (row: number) => (slices.startNs[row] ?? 0) + (slices.durationNs[row] ?? 0);
    const calls = Array.from(apiCalls.slice, endOf);
    const kernels = Array.from(gpuOperations.slice, endOf);
    for (let at = 1024; at < 1500; at++) expect(calls[at]).toBeGreaterThanOrEqual((kernels[at - 1024] ?? 0) - 1);
  });

  it('leaves data loading and tensors of one number on the CPU', async () => {
    const loading = 'enumerate(DataLoader)#_SingleProcessDataLoaderIter.__next__';
    const events = [
      kineto.range(loading, 0, 60),
      kineto.op('aten::mm', 5, 50),
      kineto.op('aten::add', 60, 5),
      kineto.op('aten::copy_', 61, 2),
    ];
    const {trace, shapes} = await predict(events);
    expect(predictGpu(trace, shapes, h100).likely.gpuOperations).toHaveLength(1);
  });

  it('keeps every slice inside the one around it, and every name', async () => {
    const {trace, shapes} = await predict(step);
    const {likely} = predictGpu(trace, shapes, h100);
    const named = (of: Trace) => Array.from(of.slices.name, name => of.strings.get(name));
    expect(named(likely).filter(name => !/^cuda|^≈/.test(name))).toEqual(named(trace));
    const [outer] = Array.from(likely.slices.startNs.keys()).filter(namesThat(likely, name => name.startsWith('Prof')));
    const endNs = (row: number) => (likely.slices.startNs[row] ?? 0) + (likely.slices.durationNs[row] ?? 0);
    const ofThread = Array.from(likely.slices.track.keys()).filter(
      row => likely.tracks[likely.slices.track[row] ?? 0]?.kind === 'thread',
    );
    expect(Math.max(...ofThread.map(endNs))).toBe(endNs(outer ?? -1));
  });

  it('says that everything is predicted, and how', async () => {
    const {trace, shapes} = await predict(step);
    const [first] = predictGpu(trace, shapes, h100).notes;
    expect(first?.text).toBe('Predicted for h100 from a recording of the CPU: nothing here was measured on a GPU.');
  });

  it('passes over sizes that no tensor has', async () => {
    const {trace, shapes} = await predict(step);
    for (const side of [1e200, 0, NaN]) {
      for (const [row, {types, values}] of shapes) {
        shapes.set(row, {dims: types.map(() => [side, side]), types, values});
      }
      expect(() => predictGpu(trace, shapes, h100)).toThrow('No operator of the profile has shapes that tell');
    }
  });

  it('refuses a profile with GPU work, and one without shapes', async () => {
    const {trace} = await predict(step);
    expect(() => predictGpu(trace, new Map(), h100)).toThrow('has no shapes of operators');
    const measured = await traceOfEvents([kineto.call(1, 0, 5), kineto.kernel(1, 10, 5)]);
    expect(() => predictGpu(measured, new Map(), h100)).toThrow('use --apply gpu=h100');
    // Its kernels were lost.
    const lost = await traceOfEvents([kineto.call(1, 0, 5)]);
    expect(() => predictGpu(lost, new Map(), h100)).toThrow('use --apply gpu=h100');
  });
});
