import {differenceOf, isAboveNoise, type Difference, type StepFigure} from '../compare/step-difference.js';
import type {LineTiming} from '../lines/line-timings.js';

/** Returns a line's work per step, or its wall time in a profile without GPU work; null if figures are not of steps. */
export function stepFigureOf(timing: LineTiming): StepFigure | null {
  if (timing.of !== 'steps') return null;
  const {isGpuProfile, gpuWorkNs, backwardGpuWorkNs, cpuWallNs, stepDeviationNs, steps} = timing;
  const sumNs = isGpuProfile ? gpuWorkNs + backwardGpuWorkNs : cpuWallNs;
  return {meanNs: sumNs / steps, deviationNs: stepDeviationNs, steps};
}

/**
 * Returns the difference of a line from the previous run; null if the kinds of figures differ, or there are too few
 * steps.
 */
export function lineDifference(now: LineTiming, before: LineTiming | null): Difference | null {
  if (before?.isGpuProfile !== now.isGpuProfile) return null;
  const figures = [stepFigureOf(now), stepFigureOf(before)] as const;
  return figures[0] && figures[1] ? differenceOf(figures[0], figures[1]) : null;
}

/** Formats a difference above the noise: `▲ +12 % (±3)`, `▼ -4.2 % (±0.8)`; '' for any other. */
export function deltaText(difference: Difference | null): string {
  return difference && isAboveNoise(difference) ? differenceText(difference) : '';
}

/** Formats a difference with its noise, whether or not it is above the noise. */
export function differenceText({fraction, noiseFraction}: Difference): string {
  const arrow = fraction > 0 ? '▲ +' : fraction < 0 ? '▼ -' : '';
  const percent = 100 * Math.abs(fraction);
  const noise = 100 * noiseFraction;
  // The noise of a few steps allows no more than two digits.
  const digits = percent >= 9.95 ? 0 : 1;
  return `${arrow}${percent.toFixed(digits)} % (±${noise.toFixed(noise < 0.95 && noise > 0 ? 1 : digits)})`;
}
