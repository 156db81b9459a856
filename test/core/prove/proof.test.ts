import {describe, expect, it} from 'vitest';
import {concludeProof, type Measured} from '../../../src/core/prove/proof.js';
import type {StepClock} from '../../../src/core/prove/process-record.js';
import {difference, doubt, evidence, type Reason} from '../../../src/core/prove/reason.js';
import {timedPart, wholeRun} from '../../../src/core/prove/timed-part.js';
import {run, work} from '../../support/proof-records.js';

const part = timedPart(work(), work());

function measured(
  intervalPercent: readonly [number, number],
  tailNs = 0,
  wallNs = 1e9,
  waits: Partial<StepClock> = {},
): Measured {
  const clock = {count: 20, waitedNs: null, tailWaitedNs: null, device: 'cpu', ...waits};
  const base = [run({clock: {...clock, stepsNs: 17 * 100e6, tailNs: 0, tailWaitedNs: 0}})];
  const changed = [run({clock: {...clock, stepsNs: 17 * 50e6, tailNs}, wallNs})];
  const change = {deltaPercent: (intervalPercent[0] + intervalPercent[1]) / 2, intervalPercent};
  return {part, change, base, changed, isBudgetSpent: false};
}

function verdict(reasons: readonly Reason[], of: Measured | null): string {
  return concludeProof(reasons, of).verdict;
}

describe('concludeProof', () => {
  it.each([
    [[], [-20, -10], 'proven'],
    [[], [-20, -0.4], 'not proven'],
    [[], [0.4, 3], 'not proven'],
    [[], [1, 3], 'worse'],
    [[evidence('steps', '')], [-20, -10], 'proven'],
    [[doubt('profiler', '')], [-20, -10], 'not proven'],
    [[doubt('profiler', '')], [1, 3], 'worse'],
    [[difference('steps', '')], [-20, -10], 'not the same work'],
    [[difference('steps', '')], [1, 3], 'not the same work'],
  ] as const)('%j with %j is %s', (reasons, interval, expected) => {
    expect(verdict(reasons, measured(interval))).toBe(expected);
  });

  it('puts differences before doubts, and these before facts', () => {
    const reasons = [evidence('steps', ''), doubt('profiler', ''), difference('outputs', '')];
    expect(concludeProof(reasons, null).reasons.map(({code}) => code)).toEqual(['outputs', 'profiler', 'steps']);
  });

  it('doubts steps that put their work off behind the last', () => {
    const saved = (100e6 - 50e6) * 17;
    const late = concludeProof([], measured([-60, -40], saved * 0.9));
    expect([late.verdict, late.reasons[0]?.code]).toEqual(['not proven', 'put-off']);
    expect(verdict([], measured([-60, -40], saved * 0.4))).toBe('proven');
  });

  it('does not take the wait for a processor behind the last step for work that was put off', () => {
    const saved = (100e6 - 50e6) * 17;
    expect(verdict([], measured([-60, -40], saved * 0.9, 1e9, {tailWaitedNs: saved * 0.8}))).toBe('proven');
  });

  it('says which part of the times it leaves out, where other programs had the processor', () => {
    const text = (waitedNs: number | null) =>
      concludeProof([], measured([-60, -40], 0, 1e9, {waitedNs})).reasons.find(({code}) => code === 'time')?.text;
    const timed = 'Timed is a training step, of 17 behind the first 3:';
    expect(text(17 * 25e6)).toBe(
      `${timed} 75.0 ms at BASE, 25.0 ms at CHANGED, in 1 pairs of runs. Left out is the time in which the script waited for a processor that other programs had: 25 % at BASE, 50 % at CHANGED.`,
    );
    for (const none of [null, 17e5 / 17])
      expect(text(none)).toMatch(/^[^.]+: 100(\.0)? ms at BASE, [\d.]+ ms at CHANGED, in 1 pairs of runs\.$/);
  });

  it('says that a change starts more slowly', () => {
    const {verdict: told, reasons} = concludeProof([], measured([-60, -40], 0, 3e9));
    expect([told, reasons.map(({code}) => code)]).toEqual(['proven', ['time', 'start-up']]);
  });

  it('says that the budget was spent', () => {
    const {verdict: told, reasons} = concludeProof([], {...measured([0, 0]), part: wholeRun, change: null});
    expect([told, reasons.map(({code}) => code)]).toEqual(['not proven', ['budget']]);
  });
});
