import {expect, it} from 'vitest';
import {stepsOf} from '../../../src/core/scope/steps.js';
import {stepRows} from '../../../src/core/tabs/range-table.js';
import {traceFromText} from '../../support/trace-from-text.js';

it('stepRows(trace, selection) counts the work of a thread in the step that it belongs to', () => {
  const threads = traceFromText(`
    range step_1    ==========
    call               A   B
    bg: range step_2      ===
    stream 7            AA   BBB
  `);
  const track = threads.slices.track[stepsOf(threads)[0]?.slice ?? -1] ?? -1;
  const rows = stepRows(threads, {track});
  // B begins while step_2 of the other thread is open.
  expect(Array.from({length: rows.length}, (_, at) => rows.cells(at).slice(3))).toEqual([[2000, 1, 'step_1']]);
});

const trace = traceFromText(`
  range step_3    ====
  range step_4                ====
  call             A           B
  stream 7          AAAAAAA     BBBBB
`);

it('stepRows(trace, selection) of a window has the parts inside it, of a step whose range ended before as well', () => {
  const cells = (selection: object) => {
    const rows = stepRows(trace, selection);
    return Array.from({length: rows.length}, (_, at) => rows.cells(at));
  };
  // From 2 to 9 µs and from 14 to 19 µs, the kernels run.
  expect(cells({})).toEqual([
    [3, 0, 9000, 7000, 1, 'step_3'],
    [4, 12_000, 7000, 5000, 1, 'step_4'],
  ]);
  expect(cells({fromNs: 6000, toNs: 15_000})).toEqual([
    [3, 6000, 3000, 3000, 1, 'step_3'],
    [4, 12_000, 3000, 1000, 1, 'step_4'],
  ]);
  expect(cells({fromNs: 9000, toNs: 12_000})).toEqual([]);
});

it('stepRows(trace, selection) begins and ends a row inside the window, wherever its step’s work before it ends', () => {
  const overlapping = traceFromText(`
    range step_1    ==
    range step_2      ==
    call             A B
    stream 7          AAAAAAAAAA
    stream 8              BBB
  `);
  const rows = stepRows(overlapping, {fromNs: 5000, toNs: 8000});
  expect(Array.from({length: rows.length}, (_, at) => rows.cells(at).slice(0, 5))).toEqual([
    [1, 5000, 3000, 3000, 1],
    [2, 8000, 0, 2000, 1],
  ]);
});
