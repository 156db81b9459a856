import {describe, expect, it} from 'vitest';
import type {RunRecord} from '../../../src/core/prove/run-record.js';
import {compareValues} from '../../../src/core/prove/same-values.js';
import {run, same, work} from '../../support/proof-records.js';

function told(base: RunRecord, changed: RunRecord, again: RunRecord | null = null, tolerance = 1e-3): string {
  const {weight, code} = compareValues(base, changed, again, tolerance);
  return `${weight} ${code}`;
}

const parameters = (digest: string, norms: readonly number[]) => work({parameters: {digest, norms, count: 12}});
const inferred = (digest: string, norm: number) =>
  work({counts: {train: 0, backward: 0, infer: 20}, losses: [], outputs: {digest, norm}});

describe('compareValues', () => {
  it.each<[string, RunRecord, RunRecord, string]>([
    ['the same parameters', run({work: work()}), run({work: work()}), 'evidence outputs'],
    ['other parameters', run({work: work()}), run({work: parameters('q', [1, 2.5])}), 'difference outputs'],
    ['last digits', run({work: work()}), run({work: parameters('q', [1, 2.000001])}), 'doubt outputs'],
    ['more parameters', run({work: work()}), run({work: parameters('q', [1, 2, 3])}), 'difference outputs'],
    ['NaN in the place of numbers', run({work: work()}), run({work: parameters('q', [1, NaN])}), 'difference outputs'],
    ['the same outputs', run({work: inferred('o', 3)}), run({work: inferred('o', 3)}), 'evidence outputs'],
    ['other outputs', run({work: inferred('o', 3)}), run({work: inferred('x', 4)}), 'difference outputs'],
    ['the same text', run({printed: 'total 7\n'}), run({printed: 'total 7\n'}), 'evidence outputs'],
    ['another text', run({printed: 'total 7\n'}), run({printed: 'total 8\n'}), 'difference outputs'],
    ['nothing', run(), run(), 'doubt nothing-to-compare'],
  ])('compares %s', (_, base, changed, expected) => {
    expect(told(base, changed)).toBe(expected);
  });

  it('doubts results that differ between two runs of the base itself', () => {
    const [base, changed, again] = [parameters('a', [1]), parameters('b', [2]), parameters('c', [3])];
    expect(told(run({work: base}), run({work: changed}), run({work: again}))).toBe('doubt not-deterministic');
    expect(told(run({work: base}), run({work: changed}), run({work: base}))).toBe('difference outputs');
  });

  it.each<[string, readonly number[], number, string]>([
    ['bit for bit', [1, 100], 1e-3, 'evidence outputs'],
    ['within a part of the largest number', [1.05, 100], 1e-3, 'evidence outputs'],
    ['beyond it', [1.2, 100], 1e-3, 'difference outputs'],
    ['within a smaller tolerance', [1.05, 100], 1e-4, 'difference outputs'],
    ['infinite', [Infinity, 100], 1e-3, 'difference outputs'],
    ['in a longer list', [1, 100, 5], 1e-3, 'difference outputs'],
  ])('compares what the person’s function returns: %s', (_, numbers, tolerance, expected) => {
    expect(told(run({same: same([1, 100])}), run({same: same(numbers)}), null, tolerance)).toBe(expected);
  });

  it.each<[string, RunRecord, RunRecord, string]>([
    ['failed at the base', run({same: {error: 'KeyError'}}), run({same: same([1])}), 'doubt nothing-to-compare'],
    ['failed at the change', run({same: same([1])}), run({same: {error: 'KeyError'}}), 'difference outputs'],
    ['was called in one run', run({same: same([1])}), run(), 'doubt nothing-to-compare'],
    ['returns nothing', run({same: same([], 'None')}), run({same: same([], 'None')}), 'doubt nothing-to-compare'],
    ['returns another type', run({same: same([1])}), run({same: same([1], 'number')}), 'difference outputs'],
  ])('tells that it %s', (_, base, changed, expected) => {
    expect(told(base, changed)).toBe(expected);
  });

  it('asks the person’s function before anything else', () => {
    const [base, changed] = [run({same: same([1]), work: work()}), run({same: same([1]), work: parameters('q', [9])})];
    expect(told(base, changed)).toBe('evidence outputs');
  });
});
