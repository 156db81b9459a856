import {describe, expect, it} from 'vitest';
import type {StepClock} from '../../../src/core/prove/process-record.js';
import {timedNs, timedPart, timedRuns, timedText, wholeRun} from '../../../src/core/prove/timed-part.js';
import {run, work} from '../../support/proof-records.js';

const counts = (train: number, backward: number, infer: number) => work({counts: {train, backward, infer}});

function clockOf(stepsNs: number, waitedNs: number | null): StepClock {
  return {count: 20, stepsNs, waitedNs, tailNs: 0, tailWaitedNs: null, device: 'cpu'};
}

describe('timedRuns', () => {
  const part = timedPart(work(), work());
  const runs = (...clocks: StepClock[]) => clocks.map(clock => run({clock}));

  it('leaves out the waits for a processor where all runs know theirs', () => {
    const base = runs(clockOf(1700, 850), clockOf(3400, 2550));
    const changed = runs(clockOf(850, 0), clockOf(850, 0));
    expect(timedRuns(part, base, changed)).toEqual({
      base: {ns: [50, 50], waitedPart: 3400 / 5100},
      changed: {ns: [50, 50], waitedPart: 0},
    });
  });

  it('leaves nothing out where one run does not know its own', () => {
    const base = runs(clockOf(1700, 850), clockOf(3400, 2550));
    const changed = runs(clockOf(850, 0), clockOf(850, null));
    expect(timedRuns(part, base, changed)).toEqual({
      base: {ns: [100, 200], waitedPart: null},
      changed: {ns: [50, 50], waitedPart: null},
    });
  });

  it('leaves the waits of whole runs out, too', () => {
    const whole = (waited: number | null) => run({wallNs: 1e9, waitedNs: waited, clock: clockOf(1700, 850)});
    expect(timedRuns(wholeRun, [whole(6e8)], [whole(0)])).toEqual({
      base: {ns: [4e8], waitedPart: 0.6},
      changed: {ns: [1e9], waitedPart: 0},
    });
    expect(timedRuns(wholeRun, [whole(6e8)], [whole(null)]).base).toEqual({ns: [1e9], waitedPart: null});
  });
});

describe('timedPart', () => {
  it.each([
    ['training steps', counts(20, 20, 20), counts(20, 20, 20), 'train', 3, 20],
    ['of few steps', counts(5, 5, 5), counts(5, 5, 5), 'train', 2, 5],
    ['calls of a model', counts(0, 0, 4), counts(0, 0, 4), 'infer', 1, 4],
    ['the run, of two steps', counts(2, 2, 2), counts(2, 2, 2), null, 0, 0],
    ['the run, of other numbers of calls', counts(0, 0, 40), counts(0, 0, 4), null, 0, 0],
  ] as const)('is %s', (_, base, changed, kind, warmup, steps) => {
    expect(timedPart(base, changed)).toEqual({kind, warmup, steps, isWithoutImport: kind === null});
  });

  it('has the import of torch in it where one of both does not import it', () => {
    expect(timedPart(work(), null)).toEqual({kind: null, warmup: 0, steps: 0, isWithoutImport: false});
  });

  it('takes the steps behind the warm-up, or the run without the import', () => {
    const clock = clockOf(1700, null);
    expect(timedNs(timedPart(work(), work()), run({clock}))).toBe(100);
    expect(timedNs(timedPart(work(), work()), run({clock: {...clock, count: 19}}))).toBeNull();
    const part = timedPart(counts(0, 0, 40), counts(0, 0, 4));
    expect(timedNs(part, run({wallNs: 5e9, importNs: 3e9}))).toBe(2e9);
    expect(timedText(part)).toBe('the whole run, from its start to its end, without the import of torch');
  });
});
