import {say} from '../base/say.js';
import type {SystemPreset} from '../estimate/system-presets.js';
import {formatDuration} from '../format/duration.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {lineTimings, type LineTiming} from '../lines/line-timings.js';
import type {NamePattern} from '../names/name-pattern.js';
import {derivedKey, derivedLately} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {predictGpu, type PredictedGpu} from './predict-gpu.js';

/** GPU work that a line of a recording of the CPU would launch on a GPU; never measured. */
export interface PredictedLine {
  /** Forward and backward together: of a step, or of a call where the line has no part in steps. Ns. */
  readonly predictedNs: number;
  readonly backwardNs: number;
  /** With kernels faster and slower by what their class may be off. Ns. */
  readonly intervalNs: readonly [low: number, high: number];
  readonly per: 'step' | 'call';
}

const predictionKey = derivedKey<PredictedGpu>('predicted GPU');

/**
 * What each line would launch on a machine with this GPU, given the names that it can open; null for a line without GPU work.
 *
 * @param shapes the shapes of the recording's operators
 * @throws TraceError as `predictGpu` does
 * @see docs/metrics.md#predicted-gpu
 */
export function predictedLines(
  trace: Trace,
  shapes: OperatorShapes,
  preset: SystemPreset,
  patterns: readonly (readonly NamePattern[])[],
): readonly (PredictedLine | null)[] {
  // A person looks at one GPU at a time.
  const predicted = derivedLately(trace, predictionKey, preset.id, 1, () => predictGpu(trace, shapes, preset));
  const [fast, likely, slow] = [predicted.fast, predicted.likely, predicted.slow].map(made =>
    lineTimings(made, patterns),
  );
  return likely.map((timing, line) => {
    const predictedNs = perUnit(timing, allOf(timing));
    if (!(predictedNs > 0)) return null;
    const [low, high] = [fast[line], slow[line]].map(other => perUnit(other, allOf(other)));
    return {
      predictedNs,
      backwardNs: perUnit(timing, timing.backwardGpuWorkNs),
      intervalNs: [Math.min(low, predictedNs), Math.max(high, predictedNs)],
      per: timing.of === 'steps' ? 'step' : 'call',
    };
  });
}

/** `≈ GPU 1.90 ms/step, predicted for H100`. */
export function predictedLineText({predictedNs, per}: PredictedLine, system: string): string {
  return say('≈ GPU {0}/{1}, predicted for {2}', formatDuration(predictedNs), per, system.toUpperCase());
}

/** What the figure means: the tooltip beside it. */
export function predictedLineTooltip({predictedNs, backwardNs, intervalNs: [low, high]}: PredictedLine): string {
  const [forward, backward] = [predictedNs - backwardNs, backwardNs].map(formatDuration);
  return [
    say(
      'Predicted, not measured: the GPU work that this would launch, between {0} and {1}; forward {2}, backward {3}.',
      formatDuration(low),
      formatDuration(high),
      forward,
      backward,
    ),
    say(
      'It is computed from the shapes of the recorded operators, and from how well GPUs in public profiles use their roofs.',
    ),
    say('Click to see what the step would take. The setting gpuLens.predictFor chooses the GPU.'),
  ].join('\n');
}

function allOf({gpuWorkNs, backwardGpuWorkNs}: LineTiming): number {
  return gpuWorkNs + backwardGpuWorkNs;
}

function perUnit({of, steps, count}: LineTiming, ns: number): number {
  return ns / Math.max(1, of === 'steps' ? steps : count);
}
