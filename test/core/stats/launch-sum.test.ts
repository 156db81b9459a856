import {expect, it} from 'vitest';
import {reportOfTrace} from '../../support/make-report.js';
import {traceFromText} from '../../support/trace-from-text.js';

it('launch_sum tells latency, queue delay and queue depth of each stream', () => {
  const trace = traceFromText(`
    call            AABBCC   D
    stream 7          AAAABBCC D
  `);
  const {columns, rows} = reportOfTrace(trace, 'launch_sum');
  const row = Object.fromEntries(columns.map(({title}, at) => [title, rows.cells(0)[at]]));
  // From call to start: A 2, B 4, C 4, D 2 µs; the calls last 2, 2, 2 and 1.
  expect(row).toMatchObject({
    Strm: 7,
    Launches: 4,
    Early: 0,
    'Latency Avg': 3000,
    'Latency Max': 4000,
    'Delay Avg': 1250,
    'Delay Min': 0,
    'Max Depth': 2,
    // 12 µs of waiting in the 11 µs from A's call to D's start.
    'Avg Depth': 1.1,
  });
});
