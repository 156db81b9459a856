import {describe, expect, it} from 'vitest';
import {mainName, visibleSlices} from '../../../src/core/layout/visible-slices.js';
import {mergedSlices} from '../../../src/core/questions/merged-slices.js';
import {allLanes} from '../../support/all-lanes.js';
import {randomTrace} from '../../support/random-trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  stream 7          AABCCCDEA
`);
const stream = trace.tracks.findIndex(({kind}) => kind === 'stream');

describe('mergedSlices(trace, place)', () => {
  it('tells the three names with the most time, and how many there are', () => {
    expect(mergedSlices(trace, {track: stream, lane: 0, slice: 0, count: trace.slices.length})).toEqual({
      count: 6,
      totalNs: 9000,
      names: 5,
      largest: [
        {name: 'kernel_A', count: 2, totalNs: 3000},
        {name: 'kernel_C', count: 1, totalNs: 3000},
        {name: 'kernel_B', count: 1, totalNs: 1000},
      ],
    });
  });

  it('is null for places that the trace does not have', () => {
    for (const place of [
      {track: 99, lane: 0, slice: 0, count: 1},
      {track: stream, lane: 7, slice: 0, count: 1},
      {track: stream, lane: 0, slice: 0, count: 1000},
      {track: stream, lane: 0, slice: -1, count: 2},
      {track: stream, lane: 0, slice: 0.5, count: 1},
      {track: stream, lane: 0, slice: 0, count: 0},
    ])
      expect(mergedSlices(trace, place)).toBeNull();
  });

  it('is about the slices of a block, and the block has the colour of one of their names, on random traces', () => {
    for (let round = 0; round < 40; round++) {
      const drawn = randomTrace(round);
      const lanes = allLanes([...drawn.tracks.keys()]);
      const {blocks, names} = visibleSlices(drawn, {fromNs: 0, toNs: drawn.spanNs + 1, widthPx: 20, lanes});
      for (let block = 0; block < blocks.length; block++) {
        const at = (column: ArrayLike<number>) => column[block] ?? NaN;
        const place = {
          track: at(blocks.track),
          lane: at(blocks.lane),
          slice: at(blocks.slice),
          count: at(blocks.count),
        };
        const merged = mergedSlices(drawn, place);
        expect(merged?.count).toBe(place.count);
        expect(merged?.names === 1).toBe(at(blocks.name) >= 0);
        const largest = merged?.largest.map(({name}) => name) ?? [];
        // Of few slices all are looked at: theirs is the name with the most time in the class with the most.
        if (place.count <= 16 && merged && merged.names <= 3)
          expect(largest).toContain(mainName({blocks, names}, block));
      }
    }
  });
});
