import {expect, it} from 'vitest';
import {crossCheckRows, type WatchedRun} from '../../../src/core/benchmark/cross-check-rows.js';

const run = (watcher: WatchedRun['watcher'], stepNs: number[], more: Partial<WatchedRun> = {}): WatchedRun => ({
  ...{watcher, stepNs, eventNs: null, gpuWorkNs: null, profile: null, reason: null},
  ...more,
});

it('crossCheckRows(runs) sets each median against the timer’s', () => {
  // By hand: medians 100, 125 and 110; of 90, 100, 110 the sample's deviation is 10.
  const [timer, pytorch, nsys] = crossCheckRows([
    run('timer', [90, 100, 110], {eventNs: [80, 90, 100]}),
    run('pytorch', [120, 125, 400], {gpuWorkNs: 70}),
    run('nsys', [110]),
  ]);
  expect(timer).toMatchObject({
    steps: 3,
    meanNs: 100,
    minNs: 90,
    medianNs: 100,
    eventMeanNs: 90,
    overheadPercent: null,
  });
  expect(timer?.stdNs).toBeCloseTo(10, 10);
  expect(pytorch).toMatchObject({meanNs: 215, minNs: 120, eventMeanNs: null, gpuWorkNs: 70, overheadPercent: 25});
  // Of all pairs: 120 − 110 and 400 − 90, of 100; and 400 − 120 of runs apart. The slow step moves no figure.
  expect(pytorch).toMatchObject({overheadLowPercent: -270, overheadHighPercent: 590, noisePercent: 430});
  expect(pytorch?.isMeasurable).toBe(false);
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
