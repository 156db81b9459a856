import {describe, expect, it} from 'vitest';
import {cellAt, cellText, layoutOf, markValue, moveCell, type HeatGrid} from '../../webview/job/heat-grid.js';

function grid(rows: number, columns: number, value = (cell: number) => cell): HeatGrid {
  return {
    ...{label: 'Ranks by steps', rowNoun: 'Rank', columnNoun: 'step', format: String},
    rows: Array.from({length: rows}, (_, at) => String(at)),
    columns: Array.from({length: columns}, (_, at) => String(at + 10)),
    values: Float64Array.from({length: rows * columns}, (_, cell) => value(cell)),
  };
}

describe('a heat map', () => {
  it('draws a mark for each column where there is room, and for several where there is none', () => {
    expect(layoutOf(grid(4, 10), 600, 40)).toMatchObject({perMark: 1, markWidthPx: 40, rowHeightPx: 22});
    const crowded = layoutOf(grid(1024, 1000), 600, 40);
    expect(crowded.perMark).toBe(6);
    expect(crowded.rowHeightPx).toBe(3);
    expect(crowded.widthPx).toBeLessThanOrEqual(601);
  });

  it('shows in a mark the greatest of its columns, and leads to that one', () => {
    const shown = grid(2, 1000, cell => (cell === 1002 ? 5 : 1));
    const layout = layoutOf(shown, 600, 40);
    expect(markValue(shown, 1, 0, layout.perMark)).toBe(5);
    const [x, y] = [layout.leftPx + 1, layout.topPx + layout.rowHeightPx + 1];
    expect(cellAt(shown, layout, x, y)).toEqual({row: 1, column: 2});
    expect(cellAt(shown, layout, 2, y)).toBeNull();
    expect(cellAt(shown, layout, x, 2)).toBeNull();
  });

  it('has no colour where no column of a mark has a value', () => {
    expect(
      markValue(
        grid(1, 3, () => NaN),
        0,
        0,
        3,
      ),
    ).toBeNaN();
    expect(
      markValue(
        grid(1, 3, cell => (cell === 2 ? -1 : NaN)),
        0,
        0,
        3,
      ),
    ).toBe(-1);
  });

  it.each([
    ['ArrowDown', {row: 3, column: 3}],
    ['ArrowUp', {row: 1, column: 3}],
    ['ArrowLeft', {row: 2, column: 2}],
    ['Home', {row: 2, column: 0}],
    ['End', {row: 2, column: 4}],
    ['PageDown', {row: 3, column: 3}],
  ])('%s moves the chosen cell, and stays in the grid', (key, cell) => {
    expect(moveCell(grid(4, 5), {row: 2, column: 3}, key)).toEqual(cell);
  });

  it('leaves other keys to the page', () => {
    expect(moveCell(grid(4, 5), {row: 2, column: 3}, 'Tab')).toBeNull();
  });

  it('says a cell in words', () => {
    expect(cellText(grid(4, 5), {row: 2, column: 3})).toBe('Rank 2, step 13: 13');
    expect(
      cellText(
        grid(1, 1, () => NaN),
        {row: 0, column: 0},
      ),
    ).toBe('Rank 0, step 10: nothing');
  });
});
