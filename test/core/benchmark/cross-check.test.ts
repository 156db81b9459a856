import {expect, it} from 'vitest';
import {crossCheckRows, type WatchedRun} from '../../../src/core/benchmark/cross-check.js';

const run = (watcher: WatchedRun['watcher'], stepNs: number[], more: Partial<WatchedRun> = {}): WatchedRun => ({
  ...{watcher, stepNs, eventNs: null, gpuWorkNs: null, profile: null, reason: null},
  ...more,
});

it('crossCheckRows(runs) sets each mean against the timer’s', () => {
  // By hand: means 100, 125 and 110; of 90, 110 the sample's deviation is √200, of 120, 130 √50.
  const [timer, pytorch, nsys] = crossCheckRows([
    run('timer', [90, 110], {eventNs: [80, 100]}),
    run('pytorch', [120, 130], {gpuWorkNs: 70}),
    run('nsys', [110]),
  ]);
  expect(timer).toMatchObject({steps: 2, meanNs: 100, minNs: 90, eventMeanNs: 90, overheadPercent: null});
  expect(timer?.stdNs).toBeCloseTo(Math.sqrt(200), 10);
  expect(pytorch).toMatchObject({meanNs: 125, minNs: 120, eventMeanNs: null, gpuWorkNs: 70, overheadPercent: 25});
  expect(pytorch?.stdNs).toBeCloseTo(Math.sqrt(50), 10);
  // Welch: variances of the means 100 and 25, so √125; 1.47 degrees of freedom, rounded down to 1: t = 12.706.
  expect(pytorch?.noisePercent).toBeCloseTo(12.706 * Math.sqrt(125), 6);
  expect(nsys?.noisePercent).toBeNull();
  expect(nsys).toMatchObject({steps: 1, meanNs: 110, stdNs: null});
  expect(nsys?.overheadPercent).toBeCloseTo(10, 10);
});

it('crossCheckRows(runs) has no overhead where either time is missing, and negative ones as they are', () => {
  const missing = {reason: 'nsys was not found.'};
  expect(crossCheckRows([run('timer', [100]), run('nsys', [], missing)])[1]).toMatchObject({
    ...{steps: 0, meanNs: null, stdNs: null, minNs: null, overheadPercent: null},
    ...missing,
  });
  expect(crossCheckRows([run('timer', []), run('pytorch', [100])])[1]?.overheadPercent).toBeNull();
  expect(crossCheckRows([run('timer', [100]), run('pytorch', [80])])[1]?.overheadPercent).toBe(-20);
});
