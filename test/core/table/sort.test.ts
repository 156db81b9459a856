import {describe, expect, it} from 'vitest';
import {orderByTrackAndStart, sortByStart} from '../../../src/core/table/sort.js';
import {seededRandom} from '../../support/random.js';

describe('orderByTrackAndStart(track, start)', () => {
  it.each([100, 50_000])('sorts %i rows as a comparison does, ties in their order', length => {
    const random = seededRandom(length);
    const track = Int32Array.from({length}, () => Math.floor(random() * 5));
    const startNs = Float64Array.from({length}, () => Math.floor(random() * 4) * 2 ** Math.floor(random() * 46));
    const expected = Array.from({length}, (_, i) => i).sort(
      (a, b) => (track[a] ?? 0) - (track[b] ?? 0) || (startNs[a] ?? 0) - (startNs[b] ?? 0) || a - b,
    );
    expect([...orderByTrackAndStart(track, startNs, length)]).toEqual(expected);
  });
});

describe('sortByStart(rows, start)', () => {
  const length = 4_000;
  const random = seededRandom(7);
  const noise = Float64Array.from({length}, () => Math.floor(random() * 1000));
  it.each<[string, (row: number) => number]>([
    ['rows in order', row => row],
    ['rows that begin together', () => 5],
    ['rows in the opposite order', row => -row],
    ['two runs, one after the other', row => (row < 1500 ? 2 * row : 2 * (row - 1500) + 1)],
    ['two runs that do not overlap, the later one first', row => (row < 1500 ? 10_000 + row : row)],
    ['many runs, each of which overlaps only the next', row => (row % 50) * 3 + Math.floor(row / 50) * 100],
    ['a long run with one row too late', row => (row === length - 1 ? 17 : row)],
    ['ranges in the order of their ends', row => row - (row % 7) * 10],
    ['times that are unevenly spread', row => (row % 2 === 0 ? 2 ** 50 : -1) + row],
    ['rows in no order', row => noise[row] ?? 0],
  ])('sorts %s as a comparison does, ties in their order', (_, startOf) => {
    const startNs = Float64Array.from({length}, (_, row) => startOf(row));
    for (const count of [0, 1, 2, 15, 16, 17, 33, length]) {
      const rows = Uint32Array.from({length: count}, (_, row) => row);
      const expected = [...rows].sort((a, b) => (startNs[a] ?? 0) - (startNs[b] ?? 0) || a - b);
      sortByStart(rows, startNs);
      expect([...rows]).toEqual(expected);
    }
  });
});
