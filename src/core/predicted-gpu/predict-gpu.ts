import {TraceError} from '../base/errors.js';
import type {SystemPreset} from '../estimate/system-presets.js';
import {formatPercent} from '../format/duration.js';
import {plural} from '../format/count.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {operatorCost} from '../roofline/operator-cost.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {efficiencyFor} from './efficiency-table.js';
import {launchCallNs, type GpuMachine} from './gpu-machine.js';
import {predictedWork, type PredictedWork} from './gpu-work-of.js';
import {predictedTrace} from './predicted-trace.js';
import {predictedClasses, type PredictedClass} from './work-class.js';

/** A recording of the CPU as it would be with a GPU: as expected, and at the least and the most. */
export interface PredictedGpu {
  readonly likely: Trace;
  readonly fast: Trace;
  readonly slow: Trace;
  readonly notes: readonly TraceNote[];
}

/**
 * By how much the time of a class may be off, as a factor both ways: about the most that the table was off by over a whole
 * public profile of a GPU that it had not seen.
 *
 * @see docs/performance.md#predicted-gpu
 */
const doubts: Readonly<Record<PredictedClass, number>> = {
  product: 1.6,
  convolution: 6,
  attention: 2.5,
  rows: 2,
  elementwise: 1.6,
};

/** The thread of another machine may be so much faster or slower. */
const threadDoubt = 2;

/** The code of the notes that say what a prediction rests on. */
export const predictionNote = 'predicted-gpu/basis';

/** Whether the shapes of a recording tell the cost of any operator. */
export function tellsGpuWork({slices, strings}: Trace, shapes: OperatorShapes): boolean {
  for (const [slice, inputs] of shapes) if (operatorCost(strings.get(slices.name[slice]), inputs)) return true;
  return false;
}

/**
 * What a recording of the CPU would be on a machine with a GPU.
 *
 * @param shapes the shapes of its operators
 * @throws TraceError `predicted-gpu/measured` for a profile with GPU work, `predicted-gpu/no-shapes` for one without shapes
 * @see docs/metrics.md#predicted-gpu
 */
export function predictGpu(trace: Trace, shapes: OperatorShapes, {id, system}: SystemPreset): PredictedGpu {
  if (trace.gpuOperations.length > 0) {
    const text = `The profile has GPU work: to move it to another GPU, use --apply gpu=${id}.`;
    throw new TraceError('predicted-gpu/measured', text);
  }
  const table = efficiencyFor(id);
  const work = predictedWork(trace, shapes, system, table);
  if (!work.some(({basis}) => basis === 'shapes')) {
    const text = 'The profile has no shapes of operators. Record them: gpu-lens profile --shapes.';
    throw new TraceError('predicted-gpu/no-shapes', text);
  }
  const operatorNs = operatorNsOf(trace, work);
  const notes = notesOf(id, work, operatorNs);
  const machine = (slowness: number): GpuMachine => ({
    device: `${id.toUpperCase()} (predicted)`,
    operatorNs: operatorNs * threadDoubt ** slowness,
    slownessOf: kind => doubts[kind] ** slowness,
    notes,
  });
  const [fast, likely, slow] = [-1, 0, 1].map(slowness => predictedTrace(trace, work, machine(slowness)));
  return {fast, likely, slow, notes};
}

/**
 * What launching an operator takes of its thread: what the shortest tenth of the operators take here, which hardly compute,
 * and the launching call.
 */
function operatorNsOf({slices}: Trace, work: readonly PredictedWork[]): number {
  const kernels = work.filter(({basis}) => basis !== 'wait');
  const durations = Float64Array.from(kernels, ({slice}) => slices.durationNs[slice]).sort();
  return durations[Math.floor(durations.length / 10)] + launchCallNs;
}

function notesOf(id: string, work: readonly PredictedWork[], operatorNs: number): TraceNote[] {
  const table = efficiencyFor(id);
  const kernels = work.filter(({basis}) => basis !== 'wait');
  const sumOf = (some: readonly PredictedWork[]) => some.reduce((sum, {gpuNs}) => sum + gpuNs, 0);
  const byInputs = kernels.filter(({basis}) => basis === 'inputs');
  const unknown = predictedClasses.filter(kind => !table[kind] && kernels.some(work => work.class === kind));
  const texts = [
    `Predicted for ${id} from a recording of the CPU: nothing here was measured on a GPU.`,
    `${plural(kernels.length, 'kernel')}; a launch takes ${String(Math.round(operatorNs / 1000))} µs of its thread, by the shortest operators of the recording.`,
    ...(byInputs.length > 0
      ? [
          `${plural(byInputs.length, 'operator')} (${formatPercent(sumOf(byInputs), sumOf(kernels))} of the GPU work) by the bytes of their inputs alone.`,
        ]
      : []),
    ...unknown.map(kind => `No profile that could be measured has a ${kind}: it counts as a product.`),
    'Efficiencies are those of other GPUs: on public profiles the sum of a class was off by 25 % in the median, and up to 2 times.',
    'Copies from and to the GPU, communication and compiled kernels are not in a recording of the CPU, and not in the prediction.',
    ...(work.some(({isMerged}) => isMerged)
      ? ['The optimizer handles all tensors in one call, as PyTorch does on a GPU.']
      : []),
  ];
  return texts.map((text): TraceNote => ({code: predictionNote, text}));
}
