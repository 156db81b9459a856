import {describe, expect, it} from 'vitest';
import {moveCursor, type GridCursor} from '../../webview/query/grid-cursor.js';

const size = {rows: 100, columns: 3, rowsPerPage: 10};
const key = (name: string, held: {ctrlKey?: boolean; shiftKey?: boolean} = {}) => ({
  key: name,
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  ...held,
});

describe('moveCursor(cursor, event, size)', () => {
  const at = (row: number, column: number, anchor = row): GridCursor => ({row, column, anchor});

  it.each([
    ['ArrowDown', at(0, 0), key('ArrowDown'), at(1, 0)],
    ['ArrowUp at the top', at(0, 1), key('ArrowUp'), at(0, 1)],
    ['ArrowRight at the end', at(5, 2), key('ArrowRight'), at(5, 2)],
    ['PageDown near the end', at(95, 0), key('PageDown'), at(99, 0)],
    ['End', at(5, 0), key('End'), at(5, 2)],
    ['Ctrl+End', at(5, 1), key('End', {ctrlKey: true}), at(99, 1)],
    ['Shift+ArrowDown', at(5, 1), key('ArrowDown', {shiftKey: true}), at(6, 1, 5)],
    ['Ctrl+Shift+Home', at(5, 1), key('Home', {ctrlKey: true, shiftKey: true}), at(0, 1, 5)],
  ])('%s', (_, from, event, to) => {
    expect(moveCursor(from, event, size)).toEqual(to);
  });

  it('gives null for other keys, and in an empty table', () => {
    expect(moveCursor(at(0, 0), key('constructor'), size)).toBeNull();
    expect(moveCursor(at(0, 0), key('ArrowDown'), {...size, rows: 0})).toBeNull();
  });
});
