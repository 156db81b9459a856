import {describe, expect, it} from 'vitest';
import {stepFinder, stepPeriods} from '../../../src/core/scope/innermost-steps.js';
import {selectOperations} from '../../../src/core/scope/selection.js';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {stepPlaces, stepScope} from '../../../src/core/scope/step-scope.js';
import type {Step} from '../../../src/core/scope/steps.js';
import {stepRows} from '../../../src/core/tabs/range-table.js';
import {seededRandom} from '../../support/random.js';
import {traceFromText} from '../../support/trace-from-text.js';

const stepsFrom = (...times: readonly (readonly [process: number, startNs: number, endNs: number])[]): Step[] =>
  times.map(([process, startNs, endNs], slice) => ({number: slice, slice, process, startNs, endNs}));

describe('stepFinder(steps)', () => {
  it('goes back to the step around one that has ended', () => {
    const stepAt = stepFinder(stepsFrom([0, 0, 100], [0, 10, 20], [1, 15, 200], [0, 30, 40]));
    expect([0, 10, 20, 35, 60, 100].map(atNs => stepAt(0, atNs))).toEqual([0, 1, 0, 3, 0, -1]);
    expect([14, 15, 150].map(atNs => stepAt(1, atNs))).toEqual([-1, 2, 2]);
    expect(stepAt(2, 50)).toBe(-1);
  });

  it('finds what a plain search finds among random steps, whatever the order of the questions', () => {
    const random = seededRandom(5);
    const upTo = (most: number) => Math.floor(random() * most);
    for (let round = 0; round < 200; round++) {
      const steps = stepsFrom(
        ...Array.from({length: upTo(12)}, () => upTo(40))
          .sort((a, b) => a - b)
          .map(startNs => [upTo(3), startNs, startNs + upTo(20)] as const),
      );
      const stepAt = stepFinder(steps);
      for (let question = 0; question < 40; question++) {
        const [process, atNs] = [upTo(3), upTo(60)];
        const plain = steps.findLastIndex(
          step => step.process === process && step.startNs <= atNs && atNs < step.endNs,
        );
        expect(stepAt(process, atNs)).toBe(plain);
      }
    }
  });
});

it('stepPeriods(steps) covers each time of a process once', () => {
  const periods = stepPeriods(stepsFrom([0, 0, 100], [0, 10, 20], [1, 15, 30], [0, 90, 120]));
  expect(periods.map(({process, step, fromNs, toNs}) => [process, step, fromNs, toNs])).toEqual([
    [0, 0, 0, 10],
    [0, 1, 10, 20],
    [0, 0, 20, 90],
    [0, 3, 90, 120],
    [1, 2, 15, 30],
  ]);
});

describe('work after a step inside another', () => {
  const trace = traceFromText(`
    range step_1    ============
    range step_10     ===
    call             A B    C
    stream 7           AA BBB CC
  `);

  it('is of the outer step, in sums over steps, in a selected step and in the table of steps', () => {
    const {numbers, stepOf} = stepPlaces(trace);
    expect(Array.from(stepOf, place => numbers[place])).toEqual([1, 10, 1]);
    const of = (step: number) => [...(selectOperations(trace, attributionOf(trace), {step}) ?? [])];
    expect([of(1), of(10)]).toEqual([
      [1, 0, 1],
      [0, 1, 0],
    ]);
    const rows = stepRows(trace, {});
    expect([0, 1].map(at => rows.cells(at).slice(3, 5))).toEqual([
      [4000, 2],
      [3000, 1],
    ]);
  });

  it('counts once, and so does the time in which both are open', () => {
    expect(stepScope(trace)).toMatchObject({workNs: 7000, wallNs: 12_000});
  });
});
