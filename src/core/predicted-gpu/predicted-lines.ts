import {say} from '../base/say.js';
import type {SystemPreset} from '../estimate/system-presets.js';
import {formatDuration} from '../format/duration.js';
import type {OperatorShapes} from '../figures/operator-inputs.js';
import {lineTimings, type LineTiming} from '../lines/line-timings.js';
import type {NamePattern} from '../names/name-pattern.js';
import {derivedKey, derivedLately} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {predictGpu, type PredictedGpu} from './predict-gpu.js';

/** GPU work that a line of a CPU recording would launch on a GPU; predicted, never measured. */
export interface PredictedLine {
  /** Forward and backward together, ns: per step, or per call if the line is in no step. */
  readonly predictedNs: number;
  readonly backwardNs: number;
  /** With kernels faster and slower by the uncertainty of their class, ns. */
  readonly intervalNs: readonly [low: number, high: number];
  readonly per: 'step' | 'call';
}

const predictionKey = derivedKey<PredictedGpu>('predicted GPU');

/**
 * Returns the work that each line would launch on a machine with this GPU, given the names that the line can open; null
 * for a line without GPU work.
 *
 * @param shapes the shapes of the recording's operators
 * @throws TraceError as `predictGpu`
 * @see docs/metrics.md#predicted-gpu
 */
export function predictedLines(
  trace: Trace,
  shapes: OperatorShapes,
  preset: SystemPreset,
  patterns: readonly (readonly NamePattern[])[],
): readonly (PredictedLine | null)[] {
  // A user looks at one GPU at a time, so only one prediction is cached.
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

/** Returns `≈ GPU 1.90 ms/step, predicted for H100`. */
export function predictedLineText({predictedNs, per}: PredictedLine, system: string): string {
  return say('≈ GPU {0}/{1}, predicted for {2}', formatDuration(predictedNs), per, system.toUpperCase());
}

/** Returns the tooltip that explains the figure. */
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
