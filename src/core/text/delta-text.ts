import {differenceOf, isAboveNoise, type Difference, type StepFigure} from '../compare/step-difference.js';
import type {LineTiming} from '../lines/line-timings.js';

/** A line's work per step, or its wall time on a profile without GPU work; null where figures are of no steps. */
export function stepFigureOf(timing: LineTiming): StepFigure | null {
  if (timing.of !== 'steps') return null;
  const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, cpuWallNs, stepDeviationNs, steps} = timing;
  const sumNs = isGpuProfile ? gpuWorkNs + backwardGpuWorkNs : cpuWallNs;
  return {meanNs: sumNs / steps, deviationNs: stepDeviationNs, steps};
}

/** How a line differs from the run before; null where that cannot be said: figures of two kinds, too few steps. */
export function lineDifference(now: LineTiming, before: LineTiming | null): Difference | null {
  if (before?.isGpuProfile !== now.isGpuProfile) return null;
  const figures = [stepFigureOf(now), stepFigureOf(before)] as const;
  return figures[0] && figures[1] ? differenceOf(figures[0], figures[1]) : null;
}

/** A difference that is above the noise: `▲ +12 % (±3)`, `▼ -4.2 % (±0.8)`; '' for one that is not. */
export function deltaText(difference: Difference | null): string {
  return difference && isAboveNoise(difference) ? differenceText(difference) : '';
}

/** A difference with its noise, whatever they are. */
export function differenceText({fraction, noiseFraction}: Difference): string {
  const arrow = fraction > 0 ? '▲ +' : fraction < 0 ? '▼ -' : '';
  const percent = 100 * Math.abs(fraction);
  const noise = 100 * noiseFraction;
  // Two digits are as much as the noise of a few steps allows.
  const digits = percent >= 9.95 ? 0 : 1;
  return `${arrow}${percent.toFixed(digits)} % (±${noise.toFixed(noise < 0.95 && noise > 0 ? 1 : digits)})`;
}
