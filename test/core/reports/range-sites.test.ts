import {expect, it} from 'vitest';
import {rangeLevels, rangeParents, type RangeSet} from '../../../src/core/figures/range-set.js';
import {noDetails} from '../../../src/core/figures/report-details.js';
import {wholeTrace} from '../../../src/core/scope/report-scope.js';
import {ReportTables} from '../../../src/core/figures/report-tables.js';
import {randomTrace} from '../../support/random-trace.js';

it('ranges that launched something stand in the same places of the tree as among all ranges', () => {
  let found = 0;
  for (let seed = 0; seed < 60; seed++) {
    const trace = randomTrace(seed);
    const {threadRanges, sites} = new ReportTables({trace, details: noDetails, scope: wholeTrace});
    const all = placesOf(threadRanges);
    const own = placesOf(sites.ranges);
    expect(own.size).toBeLessThan(all.size);
    for (const [slice, place] of own)
      expect(place, `seed ${String(seed)}, slice ${String(slice)}`).toEqual(all.get(slice));
    found += [...own.values()].filter(({level}) => level > 0).length;
  }
  expect(found).toBeGreaterThan(100);
});

/** Slice of a range → the slice and the id of the range around it, its own id, and its level. */
function placesOf(ranges: RangeSet) {
  const parent = rangeParents(ranges);
  const level = rangeLevels(parent);
  return new Map(
    Array.from({length: ranges.length}, (_, range) => {
      const outer = parent[range] ?? -1;
      const place = {
        outer: outer < 0 ? null : [ranges.slice[outer], ranges.idOf(outer)],
        id: ranges.idOf(range),
        level: level[range] ?? -1,
      };
      return [ranges.slice[range], place];
    }),
  );
}
