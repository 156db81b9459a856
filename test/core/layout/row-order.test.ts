import {describe, expect, it} from 'vitest';
import {movedKey, placeAt, placeBeside, siblingsOf, withRowAt} from '../../../src/core/layout/row-order.js';
import {
  plainLayout,
  timelineRows,
  type TimelineLayout,
  type TimelineRow,
} from '../../../src/core/layout/timeline-rows.js';
import {timelineSummary} from '../../../src/core/questions/tracks.js';
import {seededRandom} from '../../support/random.js';
import {traceFromText} from '../../support/trace-from-text.js';

const summary = timelineSummary(
  traceFromText(`
range outer      ======
call              A B
stream 7           AA
stream 9             BB
bg: range x        ==
process 2
range other      ==
`),
);

const rowsOf = (layout: TimelineLayout) => timelineRows(summary, layout);
const labels = (layout: TimelineLayout) => rowsOf(layout).rows.map(({label}) => label);

function rowCalled(label: string, layout: TimelineLayout): TimelineRow {
  const row = rowsOf(layout).rows.find(candidate => candidate.label === label);
  if (!row) throw new Error(`There is no row ${label}.`);
  return row;
}

/** The layout after a row was moved by keys, as often as said. */
function moved(label: string, direction: -1 | 1, layout: TimelineLayout = plainLayout, times = 1): TimelineLayout {
  let after = layout;
  for (let round = 0; round < times; round++) {
    const row = rowCalled(label, after);
    const place = placeBeside(rowsOf(after), row, direction);
    if (place) after = withRowAt(summary, after, row, place);
  }
  return after;
}

const plain = [
  'GPU 0',
  'Ranges on the GPU',
  'Stream 7 · compute',
  'Stream 9 · compute',
  'Process 1',
  'main · ranges and operators',
  'main · CUDA API',
  'bg',
  'Process 2',
  'main',
];

describe('rows that are moved by keys', () => {
  it('stand one place further up or down among those below their heading', () => {
    expect(labels(plainLayout)).toEqual(plain);
    expect(labels(moved('Stream 9 · compute', -1)).slice(0, 4)).toEqual([
      'GPU 0',
      'Ranges on the GPU',
      'Stream 9 · compute',
      'Stream 7 · compute',
    ]);
    expect(labels(moved('Stream 7 · compute', 1)).slice(2, 4)).toEqual(['Stream 9 · compute', 'Stream 7 · compute']);
  });

  it('stay where they are at the end', () => {
    for (const [label, direction] of [
      ['GPU 0', -1],
      ['Process 2', 1],
      ['Ranges on the GPU', -1],
      ['Stream 9 · compute', 1],
    ] as const) {
      expect(placeBeside(rowsOf(plainLayout), rowCalled(label, plainLayout), direction)).toBeNull();
    }
  });

  it('take all rows of their track along', () => {
    const order = ['Process 1', 'bg', 'main · ranges and operators', 'main · CUDA API'];
    expect(labels(moved('main · CUDA API', 1)).slice(4, 8)).toEqual(order);
    expect(labels(moved('bg', -1)).slice(4, 8)).toEqual(order);
  });

  it('move with their group by its heading', () => {
    expect(labels(moved('Process 2', -1, plainLayout, 5)).slice(0, 3)).toEqual(['Process 2', 'main', 'GPU 0']);
    const folded = {...plainLayout, toggled: new Set(['Process 1'])};
    expect(labels(moved('GPU 0', 1, folded)).slice(0, 2)).toEqual(['Process 1', 'GPU 0']);
  });

  it('are arranged by themselves where they are pinned; their heading stays on top', () => {
    const keys = ['Stream 7 · compute', 'main · CUDA API'].map(label => rowCalled(label, plainLayout).key);
    const layout = {...plainLayout, pinned: new Set(['of another profile', ...keys])};
    expect(labels(layout).slice(0, 3)).toEqual(['Pinned', 'Stream 7 · compute', 'main · CUDA API']);
    const after = moved('main · CUDA API', -1, layout);
    expect(labels(after).slice(0, 3)).toEqual(['Pinned', 'main · CUDA API', 'Stream 7 · compute']);
    expect(after.pinned.has('of another profile')).toBe(true);
    expect(movedKey(rowCalled('Pinned', layout))).toBeNull();
    expect(placeBeside(rowsOf(layout), rowCalled('Pinned', layout), 1)).toBeNull();
    expect(siblingsOf(rowsOf(layout), rowCalled('GPU 0', layout)).map(({beside}) => beside)).not.toContain('pinned');
  });

  it('pass those that a filter hides, and leave them beside their neighbours', () => {
    const filtered = {...plainLayout, filter: 'stream'};
    const after = moved('Stream 9 · compute', -1, filtered);
    expect(labels({...after, filter: ''}).slice(0, 4)).toEqual([
      'GPU 0',
      'Ranges on the GPU',
      'Stream 9 · compute',
      'Stream 7 · compute',
    ]);
  });

  it('of a profile that was never arranged come behind those that were', () => {
    const order = ['Process 2', 'gone', 'GPU 0\nStream 9 · compute'];
    expect(labels({...plainLayout, order})).toEqual([
      'Process 2',
      'main',
      'GPU 0',
      'Stream 9 · compute',
      'Ranges on the GPU',
      'Stream 7 · compute',
      ...plain.slice(4, 8),
    ]);
  });

  it('are all still there, each once, however they are moved', () => {
    const random = seededRandom(3);
    let layout = plainLayout;
    for (let round = 0; round < 300; round++) {
      const label = plain[Math.floor(random() * plain.length)] ?? '';
      layout = moved(label, random() < 0.5 ? -1 : 1, layout);
      expect([...labels(layout)].sort()).toEqual([...plain].sort());
    }
    // Groups and blocks have one entry each, whatever was done to them.
    expect(new Set(layout.order).size).toBe(layout.order.length);
  });
});

describe('placeAt(rows, row, y)', () => {
  const rows = rowsOf(plainLayout);
  const row = rowCalled('Ranges on the GPU', plainLayout);
  const target = rowCalled('Stream 9 · compute', plainLayout);

  it('is behind another past its middle, behind the one above it before', () => {
    const middlePx = target.topPx + target.heightPx / 2;
    expect(placeAt(rows, row, middlePx + 1)).toMatchObject({beside: 'GPU 0\nStream 9 · compute', side: 'after'});
    expect(placeAt(rows, row, middlePx - 1)).toMatchObject({beside: 'GPU 0\nStream 7 · compute', side: 'after'});
    expect(placeAt(rows, target, row.topPx + 1)).toMatchObject({beside: 'GPU 0\nRanges on the GPU', side: 'before'});
  });

  it('is none where the row is, and the last beyond the end of its group', () => {
    expect(placeAt(rows, row, row.topPx + 1)).toBeNull();
    expect(placeAt(rows, row, rows.heightPx + 100)).toMatchObject({beside: 'GPU 0\nStream 9 · compute', side: 'after'});
    expect(placeAt(rows, target, -100)).toMatchObject({beside: 'GPU 0\nRanges on the GPU', side: 'before'});
  });
});
