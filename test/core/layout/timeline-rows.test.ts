import {describe, expect, it} from 'vitest';
import {
  laneAt,
  laneHeightPx,
  lanesBetween,
  laneTopPx,
  plainLayout,
  rowAt,
  rowOfLane,
  rowsBetween,
  timelineRows,
  type TimelineLayout,
} from '../../../src/core/layout/timeline-rows.js';
import {timelineSummary, trackSummaries} from '../../../src/core/questions/tracks.js';
import type {Trace} from '../../../src/core/trace/trace.js';
import {traceFromText} from '../../support/trace-from-text.js';

const trace = traceFromText(`
  stream 0.7        AAA
  range outer     =====
  range inner      ==
  call             A
  python f        ======
  python g         ===
`);

/** Rows as `label (lanes)`, headings in capitals. */
function rowsOf(of: Trace, change: Partial<TimelineLayout> = {}): string[] {
  return timelineRows(timelineSummary(of), {...plainLayout, ...change}).rows.map(row => {
    if (row.kind === 'group') return `${row.label.toUpperCase()}${row.isFolded ? ' …' : ''}`;
    return row.kind === 'track' ? `${row.label} (${String(row.laneCount)})` : row.label;
  });
}

describe('timelineRows(summary, layout)', () => {
  it('stacks GPUs above threads, each group under its heading, Python frames folded', () => {
    expect(rowsOf(trace)).toEqual([
      'GPU 0',
      'Ranges on the GPU (2)',
      'Stream 7 · compute (1)',
      'PROCESS 1',
      'main · ranges and operators (2)',
      'main · CUDA API (1)',
      'main · Python frames (1)',
    ]);
  });

  it('calls the API of an AMD GPU by its name', () => {
    const {tracks, counters} = timelineSummary(trace);
    const named = tracks.map(track => ({...track, group: track.group.replace('GPU 0', 'GPU 0 · AMD Instinct MI300X')}));
    const labels = timelineRows({tracks: named, counters}).rows.map(({label}) => label);
    expect(labels).toContain('main · HIP API');
    expect(labels).not.toContain('main · CUDA API');
  });

  it('opens and folds the rows and groups that were toggled', () => {
    expect(rowsOf(trace, {toggled: new Set(['GPU 0', 'Process 1\nmain\nframes', 'Process 1\nmain\nranges'])})).toEqual([
      'GPU 0 …',
      'PROCESS 1',
      'main · ranges and operators (1)',
      'main · CUDA API (1)',
      'main · Python frames (2)',
    ]);
  });

  it('puts pinned rows on top, and no longer into their group', () => {
    expect(rowsOf(trace, {pinned: new Set(['Process 1\nmain\ncalls'])}).slice(0, 3)).toEqual([
      'PINNED',
      'main · CUDA API (1)',
      'GPU 0',
    ]);
  });

  it('shows the rows whose name or group has the filter’s text, whatever its case', () => {
    expect(rowsOf(trace, {filter: 'cuda'})).toEqual(['PROCESS 1', 'main · CUDA API (1)']);
    expect(rowsOf(trace, {filter: 'gpu 0'})).toHaveLength(3);
    expect(rowsOf(trace, {filter: 'nothing like this'})).toEqual([]);
  });

  it('places each row below the one before', () => {
    const {rows, heightPx} = timelineRows(timelineSummary(trace));
    let topPx = 0;
    for (const row of rows) {
      expect(row.topPx).toBe(topPx);
      topPx += row.heightPx;
    }
    expect(heightPx).toBe(topPx);
  });
});

it('trackSummaries(trace) keeps the tracks of a process together, the busiest process first', () => {
  const two = traceFromText(`
    range a         =
    process 2
    range b         = = =
    bg: range c     =
  `);
  expect(trackSummaries(two).map(({group, name}) => [group, name])).toEqual([
    ['Process 2', 'main'],
    ['Process 2', 'bg'],
    ['Process 1', 'main'],
  ]);
});

describe('places in the rows', () => {
  const rows = timelineRows(timelineSummary(trace));
  const main = rowOfLane(rows, 1, 1);

  it('laneAt(rows, y) finds the lane that laneTopPx puts there, and none on headings', () => {
    expect(main?.label).toBe('main · ranges and operators');
    if (!main) return;
    expect(laneAt(rows, laneTopPx(main, 1) + laneHeightPx / 2)).toEqual({track: 1, lane: 1});
    expect(laneAt(rows, 3)).toBeNull();
    expect(laneAt(rows, 1e6)).toBeNull();
    expect(rowAt(rows, 1e6)).toBeNull();
  });

  it('rowOfLane(rows, track, lane) finds the section that holds it', () => {
    expect(rowOfLane(rows, 1, 2)?.section.kind).toBe('calls');
    expect(rowOfLane(rows, 1, 3)?.section.kind).toBe('frames');
    expect(rowOfLane(rows, 99, 0)).toBeNull();
  });

  it('rowsBetween(rows, from, to) and lanesBetween(row, from, to) give what is in sight', () => {
    expect(rowsBetween(rows, 0, 10).map(({kind}) => kind)).toEqual(['group']);
    expect(rowsBetween(rows, 0, 1e6)).toHaveLength(rows.rows.length);
    if (!main) return;
    const topPx = laneTopPx(main, 1);
    expect(lanesBetween(main, 0, 1e6)).toEqual({firstLane: 0, endLane: 2});
    expect(lanesBetween(main, topPx + 1, topPx + 2)).toEqual({firstLane: 1, endLane: 2});
  });
});
