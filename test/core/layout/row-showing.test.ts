import {describe, expect, it} from 'vitest';
import {layoutShowing} from '../../../src/core/layout/row-showing.js';
import {plainLayout, rowOfLane, timelineRows, type TimelineLayout} from '../../../src/core/layout/timeline-rows.js';
import {timelineSummary} from '../../../src/core/questions/tracks.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  stream 0.7        AAA
  range outer     =====
  range inner      ==
  call             A
  python f        ======
  python g         ===
`);
const summary = timelineSummary(trace);
const main = trace.tracks.findIndex(({kind}) => kind === 'thread');
const ranges = 'Process 1\nmain\nranges';

function shown(change: Partial<TimelineLayout>, lane: number): readonly string[] {
  const before = {...plainLayout, ...change};
  const {layout, hidBy} = layoutShowing(summary, before, main, lane);
  const row = rowOfLane(timelineRows(summary, layout), main, lane);
  expect(row && (!row.isFolded || lane === row.section.firstLane)).toBe(true);
  if (hidBy.length === 0) expect(layout).toBe(before);
  return hidBy;
}

describe('layoutShowing(summary, layout, track, lane)', () => {
  it('changes nothing where the lane can be seen', () => {
    expect(shown({}, 1)).toEqual([]);
    expect(shown({toggled: new Set([ranges])}, 0)).toEqual([]);
    expect(shown({filter: 'main'}, 1)).toEqual([]);
  });

  it('opens the row, opens the group, clears the filter, and says which', () => {
    expect(shown({toggled: new Set([ranges])}, 1)).toEqual(['row']);
    expect(shown({toggled: new Set(['Process 1'])}, 1)).toEqual(['group']);
    expect(shown({filter: 'stream'}, 1)).toEqual(['filter']);
    expect(shown({filter: 'stream', toggled: new Set(['Process 1', ranges])}, 1)).toEqual(['filter', 'group', 'row']);
  });

  it('leaves a folded group alone where the row is pinned above it', () => {
    const toggled = new Set(['Process 1']);
    expect(shown({filter: 'stream', toggled, pinned: new Set([ranges])}, 1)).toEqual(['filter']);
  });

  it('changes nothing for a lane that there is not', () => {
    for (const [track, lane] of [
      [99, 0],
      [main, 99],
      [-1, 0],
    ] as const) {
      const layout = {...plainLayout, filter: 'x', toggled: new Set(['Process 1'])};
      expect(layoutShowing(summary, layout, track, lane)).toEqual({layout, hidBy: []});
    }
  });
});
