import {describe, expect, it} from 'vitest';
import {timedNs, timedPart, timedText} from '../../../src/core/prove/timed-part.js';
import {run, work} from '../../support/proof-records.js';

const counts = (train: number, backward: number, infer: number) => work({counts: {train, backward, infer}});

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
    const clock = {count: 20, stepsNs: 1700, tailNs: 0, device: 'cpu'};
    expect(timedNs(timedPart(work(), work()), run({clock}))).toBe(100);
    expect(timedNs(timedPart(work(), work()), run({clock: {...clock, count: 19}}))).toBeNull();
    const part = timedPart(counts(0, 0, 40), counts(0, 0, 4));
    expect(timedNs(part, run({wallNs: 5e9, importNs: 3e9}))).toBe(2e9);
    expect(timedText(part)).toBe('the whole run, from its start to its end, without the import of torch');
  });
});
