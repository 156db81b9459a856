import {describe, expect, it} from 'vitest';
import {systemPreset} from '../../../src/core/estimate/system-presets.js';
import type {OperatorInputs} from '../../../src/core/figures/operator-inputs.js';
import {predictGpu} from '../../../src/core/predicted-gpu/predict-gpu.js';
import {predictedStep} from '../../../src/core/predicted-gpu/predicted-step.js';
import {namesThat} from '../../../src/core/trace/names-that.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {kineto, type KinetoEvent} from '../../support/kineto-events.js';
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
    const answer = predictedStep(trace, shapes, h100, {step: 1, automatic: [], changes: []});
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

  it('takes the innermost operator whose cost is known, once', async () => {
    const events = [kineto.op('aten::linear', 0, 60), kineto.op('aten::mm', 5, 50), kineto.op('aten::add', 60, 5)];
    const {trace, shapes} = await predict(events);
    const {likely} = predictGpu(trace, shapes, h100);
    const names = Array.from(likely.gpuOperations.slice, row => likely.strings.get(likely.slices.name[row] ?? 0));
    expect(names).toEqual(['≈ aten::mm', '≈ aten::add']);
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
      expect(() => predictGpu(trace, shapes, h100)).toThrow('has no shapes of operators');
    }
  });

  it('refuses a profile with GPU work, and one without shapes', async () => {
    const {trace} = await predict(step);
    expect(() => predictGpu(trace, new Map(), h100)).toThrow('has no shapes of operators');
    const measured = await traceOfEvents([kineto.call(1, 0, 5), kineto.kernel(1, 10, 5)]);
    expect(() => predictGpu(measured, new Map(), h100)).toThrow('use --apply gpu=h100');
  });
});
