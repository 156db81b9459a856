import {TraceError} from '../base/errors.js';
import {say, template} from '../base/say.js';
import type {SystemPreset} from '../estimate/system-presets.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {counted} from '../format/count.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {stepsOf} from '../scope/steps.js';
import type {Trace, TraceNote} from '../trace/trace.js';
import {efficiencyFor} from './efficiency-table.js';
import {launchCallNs, type GpuMachine} from './gpu-machine.js';
import {predictedWork, type PredictedWork} from './gpu-work-of.js';
import {predictedTrace} from './predicted-trace.js';
import {predictedClasses, type PredictedClass} from './work-class.js';

/** A CPU recording as it would be with a GPU: expected, least and greatest. */
export interface PredictedGpu {
  readonly likely: Trace;
  readonly fast: Trace;
  readonly slow: Trace;
  /** The recording itself; if it has no steps, the whole is one step. */
  readonly recorded: Trace;
  readonly notes: readonly TraceNote[];
}

/**
 * The uncertainty of each class's time, as a factor in both directions: about the largest error of the table over a
 * whole public profile of a GPU that it had not seen.
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

/** The uncertainty of an operator's launching time on its thread, as a factor in both directions. */
const launchDoubt = 2;

/** The code of the notes about the basis of a prediction. */
export const predictionNote = 'predicted-gpu/basis';

/** Returns whether a profile is a CPU recording: it has no GPU work, and no calls that lost theirs. */
export function isCpuRecording({gpuOperations, apiCalls}: Trace): boolean {
  return gpuOperations.length === 0 && apiCalls.length === 0;
}

/**
 * Predicts a CPU recording for a machine with a GPU.
 *
 * @param shapes the shapes of its operators
 * @throws TraceError `predicted-gpu/measured` if it is not a CPU recording, `predicted-gpu/no-shapes`, and
 *   `predicted-gpu/no-costs` if no shapes give the cost of an operator
 * @see docs/metrics.md#predicted-gpu
 */
export function predictGpu(trace: Trace, shapes: OperatorShapes, {id, system}: SystemPreset): PredictedGpu {
  if (!isCpuRecording(trace)) {
    const text = say('The profile is of a GPU. To predict another one, use --apply gpu={0}.', id);
    throw new TraceError('predicted-gpu/measured', text);
  }
  if (shapes.size === 0) {
    const text = say('The profile has no shapes of operators: record it again without --no-shapes.');
    throw new TraceError('predicted-gpu/no-shapes', text);
  }
  const table = efficiencyFor(id);
  const work = predictedWork(trace, shapes, system, table);
  if (!work.some(({basis}) => basis === 'shapes')) {
    const text = say('No operator of the profile has shapes that tell what a GPU would compute.');
    throw new TraceError('predicted-gpu/no-costs', text);
  }
  const operatorNs = operatorNsOf(trace, work);
  const notes = notesOf(id, work, operatorNs);
  const machine = (slowness: number): GpuMachine => ({
    device: `${id.toUpperCase()} (predicted)`,
    operatorNs: operatorNs * launchDoubt ** slowness,
    slownessOf: kind => doubts[kind] ** slowness,
    notes,
  });
  const [fast, likely, slow] = [-1, 0, 1].map(slowness => predictedTrace(trace, work, machine(slowness)));
  const recorded = stepsOf(trace).length > 0 ? trace : predictedTrace(trace, [], machine(0));
  return {fast, likely, slow, recorded, notes};
}

const startsKernel = ({basis}: PredictedWork) => basis !== 'wait' && basis !== 'free';

/** An operator that takes longer is computing, however few shorter ones there are, ns. */
const mostOperatorNs = 25_000;

/**
 * Returns the time to launch an operator on its thread: the time of the shortest tenth of the operators, which hardly
 * compute, plus the launching call.
 */
function operatorNsOf({slices}: Trace, work: readonly PredictedWork[]): number {
  const kernels = work.filter(startsKernel);
  const durations = Float64Array.from(kernels, ({slice}) => slices.durationNs[slice]).sort();
  return Math.min(mostOperatorNs, durations[Math.floor(durations.length / 10)]) + launchCallNs;
}

/** Templates. */
const classNames: Readonly<Record<PredictedClass, string>> = {
  product: template('matrix products'),
  convolution: template('convolutions'),
  attention: template('fused attention'),
  rows: template('norms and softmax'),
  elementwise: template('elementwise operators'),
};

/**
 * The errors of predicted steps of public profiles, whose kernels are predicted from their operators, as fractions.
 *
 * @see docs/performance.md#predicted-gpu
 */
export const stepError = {median: 0.05, most: 0.13, profiles: 7} as const;

/** The error of a step of the only program that was recorded on a CPU and on a GPU, as a fraction. */
export const pairError = 0.27;

const stepErrorText = (): string =>
  say(
    'For steps of {0} public profiles, with CPU time as recorded beside the GPU, the median error is {1} %, and the largest {2} %. A program that was recorded on a CPU and on a GPU is off by {3} %.',
    stepError.profiles,
    100 * stepError.median,
    100 * stepError.most,
    100 * pairError,
  );

function notesOf(id: string, work: readonly PredictedWork[], operatorNs: number): TraceNote[] {
  const table = efficiencyFor(id);
  const kernels = work.filter(startsKernel);
  const sumOf = (some: readonly PredictedWork[]) => some.reduce((sum, {gpuNs}) => sum + gpuNs, 0);
  const byInputs = kernels.filter(({basis}) => basis === 'inputs');
  const inputsPart = formatPercent(sumOf(byInputs), sumOf(kernels));
  const unknown = predictedClasses.filter(kind => !table[kind] && kernels.some(item => item.class === kind));
  const used = predictedClasses.filter(kind => kernels.some(item => item.class === kind));
  const texts = [
    say('Predicted for {0} from a recording of the CPU: nothing here was measured on a GPU.', id),
    say(
      '{0}. Launching one takes {1} of its thread, the time of the shortest operators in the recording, and the call.',
      counted(kernels.length, '{0} kernel', '{0} kernels'),
      formatDuration(operatorNs),
    ),
    say('Everything between operators takes as long as on this CPU. The interval does not allow for another CPU.'),
    ...(byInputs.length > 0
      ? [
          counted(
            byInputs.length,
            '{0} kernel ({1} of the GPU work) is predicted from the bytes of its inputs alone.',
            '{0} kernels ({1} of the GPU work) are predicted from the bytes of their inputs alone.',
            inputsPart,
          ),
        ]
      : []),
    ...unknown.map(kind =>
      say('No public profile has {0} for this prediction, so they count as matrix products.', say(classNames[kind])),
    ),
    say(
      'The efficiencies come from profiles of other GPUs. The interval allows for errors of {0}.',
      used.map(kind => say('{0} times for {1}', doubts[kind], say(classNames[kind]))).join(', '),
    ),
    stepErrorText(),
    say(
      'Copies between CPU and GPU, communication and compiled kernels are not in a recording of the CPU, so they are not predicted.',
    ),
    ...(work.some(({isMerged}) => isMerged)
      ? [say('The optimizer handles all tensors in one call, as PyTorch does on a GPU.')]
      : []),
  ];
  return texts.map((text): TraceNote => ({code: predictionNote, text}));
}
