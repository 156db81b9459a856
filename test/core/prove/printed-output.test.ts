import {describe, expect, it} from 'vitest';
import {comparePrinted} from '../../../src/core/prove/printed-output.js';

describe('printed output', () => {
  it.each([
    ['loss 0.5\n', 'loss 0.5\n', 'equal'],
    ['loss 0.5\n', 'loss 0.25\n', 'different'],
    ['loss 0.5\nloss 0.4\n', 'loss 0.5\n', 'different'],
    ['', '', 'nothing'],
    ['step 3: 12.5 ms, loss 0.5\n', 'step 3:  8.1 ms, loss 0.5\n', 'equal'],
    ['step 3: 12.5 ms, loss 0.5\n', 'step 3: 8.1 ms, loss 0.4\n', 'different'],
    ['took 12.5\nresult 7', 'took 3\nresult 7', 'equal'],
    ['elapsed time: 1e-3', 'elapsed time: 2e-3', 'equal'],
    ['812.3 it/s, 7 done', '1900.1 it/s, 7 done', 'equal'],
    ['steps: 12', 'steps: 11', 'different'],
  ] as const)('%j and %j are %s', (base, changed, verdict) => {
    expect(comparePrinted(base, changed, null)).toBe(verdict);
  });

  it('does not compare what differs between two runs of the base', () => {
    expect(comparePrinted('id 17\nloss 0.5', 'id 18\nloss 0.5', 'id 19\nloss 0.5')).toBe('equal');
    expect(comparePrinted('id 17\nloss 0.5', 'id 18\nloss 0.6', 'id 19\nloss 0.5')).toBe('different');
  });
});
