import {describe, expect, it} from 'vitest';
import {aheadOf, alignedAt, alignedSteps, windowOfLinked} from '../../../src/core/layout/linked-view.js';

const step = (number: number, startNs: number, endNs: number, process = 0) => ({
  ...{number, slice: number, process, startNs, endNs},
});
/** Three steps of one process, and between them one of another. */
const steps = [step(5, 100, 190), step(5, 150, 260, 1), step(6, 200, 320), step(7, 330, 400)];

describe('alignedSteps(steps, selection, spanNs)', () => {
  it('is aligned at the compared step, among the steps of its process', () => {
    const aligned = alignedSteps(steps, {step: 6}, 500);
    expect(aligned.compared).toEqual({fromNs: 200, toNs: 320});
    expect(aligned.at).toBe(1);
    expect([-2, -1, 0, 1, 2].map(ahead => alignedAt(aligned, ahead)?.fromNs ?? null)).toEqual([
      ...[null, 100, 200, 330, null],
    ]);
    expect(steps.map(one => aheadOf(aligned, one))).toEqual([-1, null, 0, 1]);
  });

  it('is aligned at the compared window, and goes on with the steps beside it', () => {
    const aligned = alignedSteps(steps, {fromNs: 210, toNs: 240}, 500);
    expect([0, 1].map(ahead => alignedAt(aligned, ahead))).toEqual([
      {fromNs: 210, toNs: 240},
      {fromNs: 330, toNs: 400},
    ]);
    expect(alignedSteps([], {fromNs: 210}, 500).compared).toEqual({fromNs: 210, toNs: 500});
  });

  it('is aligned at the first step of a whole profile, and at its start where it has none', () => {
    expect(alignedSteps(steps, {}, 500).compared).toEqual({fromNs: 100, toNs: 190});
    const without = alignedSteps([], {}, 500);
    expect(without.compared).toEqual({fromNs: 0, toNs: 500});
    expect(alignedAt(without, 1)).toBeNull();
  });
});

it('windowOfLinked(own, view) counts from the step of the same place, and is null where there is none', () => {
  const aligned = alignedSteps(steps, {step: 6}, 500);
  const view = {ahead: 1, fromNs: -10, toNs: 25, cursorNs: null};
  expect(windowOfLinked(aligned, view)).toEqual({fromNs: 320, toNs: 355});
  expect(windowOfLinked(aligned, {...view, ahead: 2})).toBeNull();
});
