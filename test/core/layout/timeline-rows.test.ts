import {expect, it} from 'vitest';
import {laneAt, laneHeightPx, laneTopPx, rowsBetween, timelineRows} from '../../../src/core/layout/timeline-rows.js';
import {trackSummaries} from '../../../src/core/queries/tracks.js';
import {traceFromText} from '../../support/trace-from-text.js';

const rows = timelineRows(
  trackSummaries(
    traceFromText(`
      stream 0.7      aaa
      range outer     =====
      range inner      ==
    `),
  ),
);

it('timelineRows(tracks) stacks GPUs above threads, each group under its heading', () => {
  expect(rows.rows.map(row => (row.kind === 'group' ? row.label : row.track.name))).toEqual([
    'GPU 0',
    'Stream 7',
    'Process 1',
    'main',
  ]);
  const last = rows.rows.at(-1);
  expect(rows.heightPx).toBe((last?.topPx ?? 0) + (last?.heightPx ?? 0));
});

it('trackSummaries(trace) keeps the tracks of a process together, the busiest process first', () => {
  const trace = traceFromText(`
    range a         =
    process 2
    range b         = = =
    bg: range c     =
  `);
  expect(trackSummaries(trace).map(({group, name}) => [group, name])).toEqual([
    ['Process 2', 'main'],
    ['Process 2', 'bg'],
    ['Process 1', 'main'],
  ]);
});

it('laneAt(rows, y) finds the lane that laneTopPx puts there, and none on headings', () => {
  const main = rows.rows.at(-1);
  if (main?.kind !== 'track') throw new Error('The last row is the thread.');
  expect(laneAt(rows, laneTopPx(main, 1) + laneHeightPx / 2)).toEqual({track: main.track.track, lane: 1});
  expect(laneAt(rows, 3)).toBeNull();
  expect(laneAt(rows, 1e6)).toBeNull();
});

it('rowsBetween(rows, from, to) gives what is in sight', () => {
  expect(rowsBetween(rows, 0, 10).map(({kind}) => kind)).toEqual(['group']);
  expect(rowsBetween(rows, 0, 1e6)).toHaveLength(4);
});
