import {describe, expect, it} from 'vitest';
import {groupRows} from '../../../src/core/table/group-rows.js';
import {seededRandom} from '../../support/random.js';

describe('groupRows(group, groups)', () => {
  it('puts the rows of each group side by side, in their order', () => {
    const random = seededRandom(3);
    const groupOf = Int32Array.from({length: 5000}, () => Math.floor(random() * 8) - 1);
    const {rows, offsets} = groupRows(groupOf, 9);
    expect(offsets).toHaveLength(10);
    for (let group = 0; group < 9; group++) {
      const expected = [...groupOf.keys()].filter(row => groupOf[row] === group);
      expect([...rows.subarray(offsets[group], offsets[group + 1])]).toEqual(expected);
    }
    expect(rows).toHaveLength(groupOf.filter(group => group >= 0).length);
  });

  it('leaves out rows behind a length, and takes no rows at all', () => {
    expect([...groupRows(Int32Array.of(1, 0, 1, 0), 2, 3).rows]).toEqual([1, 0, 2]);
    expect(groupRows(new Int32Array(0), 0)).toEqual({rows: new Uint32Array(0), offsets: new Uint32Array(1)});
    expect(groupRows(Int32Array.of(-1, -1), 3)).toEqual({rows: new Uint32Array(0), offsets: new Uint32Array(4)});
  });
});
