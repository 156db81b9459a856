import {describe, expect, it} from 'vitest';
import type {Surroundings} from '../../../src/core/prove/process-record.js';
import {compareSurroundings, keptResults} from '../../../src/core/prove/same-surroundings.js';
import {quiet} from '../../support/proof-records.js';

function told(base: Partial<Surroundings>, changed: Partial<Surroundings>, addedFiles: readonly string[] = []) {
  const of = (change: Partial<Surroundings>) => [{...quiet, ...change}];
  return compareSurroundings({base: of(base), changed: of(changed), addedFiles}).map(
    ({weight, code}) => `${weight} ${code}`,
  );
}

describe('compareSurroundings', () => {
  it('has nothing to say of runs that read the same', () => {
    expect(told({outerReads: ['/data/train.bin']}, {outerReads: ['/data/train.bin']})).toEqual([]);
  });

  it.each<[string, Partial<Surroundings>, Partial<Surroundings>, readonly string[], string]>([
    ['a file that an earlier run left', {}, {leftReads: ['/home/x/result']}, [], 'difference cached'],
    ['a file that only the change reads', {}, {outerReads: ['/home/x/old.pt']}, [], 'doubt cached'],
    ['a file that the change brings', {}, {reads: ['answers.pt']}, ['answers.pt'], 'doubt stored-results'],
    ['a profiler at the base', {profilers: ['torch.profiler']}, {}, [], 'doubt profiler'],
    ['a profiler at the change', {}, {profilers: ['cProfile']}, [], 'doubt profiler'],
    ['code of another checkout', {}, {foreignCode: ['/home/x/model.py']}, [], 'doubt other-code'],
  ])('tells %s', (_, base, changed, added, expected) => {
    expect(told(base, changed, added)).toEqual([expected]);
  });

  it.each([
    ['source code', ['model.py']],
    ['settings', ['config.yaml']],
  ])('lets a change bring %s', (_, files) => {
    expect(told({}, {reads: files}, files)).toEqual([]);
  });

  it('lets the base read more than the change', () => {
    expect(told({outerReads: ['/data/a', '/data/b']}, {outerReads: ['/data/a']})).toEqual([]);
  });

  it('names three files, and counts the others', () => {
    const [reason] = compareSurroundings({
      base: [quiet],
      changed: [{...quiet, leftReads: ['/a', '/b', '/c', '/d', '/d', '/e']}],
      addedFiles: [],
    });
    expect(reason?.text).toBe('A run read what an earlier run had left: /a, /b, /c and 2 more.');
  });
});

describe('keptResults', () => {
  it('doubts a change that reads what its run before has left, as the base does not', () => {
    expect(keptResults([], ['result.txt'])?.text).toBe(
      'Run again, CHANGED reads what its run before has left: result.txt. A first run gains nothing by that.',
    );
    expect(keptResults(['checkpoint.pt'], ['checkpoint.pt'])).toBeNull();
    expect(keptResults([], [])).toBeNull();
  });
});
