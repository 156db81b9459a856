import {describe, expect, it} from 'vitest';
import {chartPlaces} from '../../webview/tables/chart.js';

function placesOf(values: readonly number[], widthPx = 800) {
  const bars = values.map(value => ({name: `row of ${String(value)}`, value, text: String(value)}));
  return chartPlaces({header: 'Time (ns)', definition: '', bars, rowCount: bars.length}, widthPx);
}

describe('chartPlaces(chart, width)', () => {
  it('draws bars as long as their numbers, the longest with room for its own', () => {
    const {bars, zeroPx} = placesOf([100, 50, 0]);
    expect(bars.map(({leftPx}) => leftPx)).toEqual([zeroPx, zeroPx, zeroPx]);
    const [longest = 0, half = 0, none = -1] = bars.map(({widthPx}) => widthPx);
    expect(half).toBeCloseTo(longest / 2);
    expect(none).toBe(0);
    expect(zeroPx + longest + '100'.length * 6).toBeLessThan(800);
    expect(new Set(bars.map(({topPx}) => topPx)).size).toBe(3);
  });

  it('draws what is below nothing to the left', () => {
    const {bars, zeroPx} = placesOf([30, -10]);
    expect(bars[1]).toMatchObject({widthPx: expect.closeTo((bars[0]?.widthPx ?? 0) / 3) as number});
    expect((bars[1]?.leftPx ?? 0) + (bars[1]?.widthPx ?? 0)).toBeCloseTo(zeroPx);
  });

  it('has bars of no width where all is nothing, and room for them where the view is narrow', () => {
    expect(placesOf([0, 0]).bars.map(({widthPx}) => widthPx)).toEqual([0, 0]);
    expect(placesOf([5], 60).bars[0]?.widthPx).toBeGreaterThan(30);
    expect(placesOf([]).bars).toEqual([]);
  });
});
