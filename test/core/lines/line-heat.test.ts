import {describe, expect, it} from 'vitest';
import {heatOfLine, shareOfLine} from '../../../src/core/lines/line-heat.js';
import type {LineTiming} from '../../../src/core/lines/line-timings.js';

/** A line with this part of 100 ns, forward and backward: of the GPU's work, or of the wall time without any. */
function line(partNs: number, isGpuProfile = true): LineTiming {
  const backwardGpuWorkNs = isGpuProfile ? partNs / 2 : 0;
  return {
    ...{of: 'profile', steps: 0, count: 1, names: [], nameCount: 0, leastWorkNs: 0, stepDeviationNs: NaN},
    ...{gpuBusyNs: 0, backwardGpuBusyNs: 0, gpuSpanNs: 0, operations: 1, launches: 1, peakBytes: NaN},
    cpuWallNs: isGpuProfile ? 0 : partNs,
    gpuWorkNs: isGpuProfile ? partNs - backwardGpuWorkNs : 0,
    backwardGpuWorkNs,
    allGpuWorkNs: isGpuProfile ? 100 : 0,
    allWallNs: isGpuProfile ? 1000 : 100,
    isGpuProfile,
  };
}

describe('heatOfLine(timing)', () => {
  it.each([true, false])('marks a line from exactly 1, 5, 15 and 35 % on (a profile with GPU work: %s)', isGpu => {
    const heat = (percent: number) => heatOfLine(line(percent, isGpu));
    expect([1, 5, 15, 35].map(heat)).toEqual([1, 2, 3, 4]);
    expect([0, 0.99, 4.99, 14.99, 34.99, 100].map(heat)).toEqual([0, 0, 1, 2, 3, 4]);
  });
});

describe('shareOfLine(timing)', () => {
  it('is never more than all, and 0 where there is nothing to share', () => {
    expect(shareOfLine(line(130))).toBe(1);
    expect(shareOfLine({...line(0), allGpuWorkNs: 0})).toBe(0);
  });
});
