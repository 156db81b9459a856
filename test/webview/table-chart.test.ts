import {describe, expect, it} from 'vitest';
import {chartPlaces, drawChart} from '../../webview/tables/chart.js';
import {standInDocument, type StandInElement} from '../support/document-stand-in.js';

standInDocument();

function placesOf(values: readonly number[], widthPx = 800) {
  const bars = values.map(value => ({name: `row of ${String(value)}`, value, text: String(value)}));
  return chartPlaces({header: 'Time (ns)', title: 'Time', definition: '', bars, rowCount: bars.length}, widthPx);
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

describe('drawChart(chart, width)', () => {
  const draw = (bars: readonly {name: string; value: number; text: string}[], rowCount = bars.length) => {
    const drawn = drawChart({header: 'Time (ns)', title: 'Time', definition: '', bars, rowCount}, 800, {
      isDark: true,
      isHighContrast: false,
    }) as unknown as StandInElement;
    const rows = drawn.all('g').map(row => ({
      texts: row.all('text').map(({textContent}) => textContent),
      title: row.all('title')[0]?.textContent,
      rect: row.all('rect')[0]?.attributes ?? {},
      anchor: row.all('text')[1]?.attributes['text-anchor'],
    }));
    return {drawn, rows};
  };

  it('has a bar with name and number for each row, the whole name for the mouse', () => {
    const long = `<b>${'long_'.repeat(60)}`;
    const {drawn, rows} = draw([
      {name: long, value: 30, text: '30'},
      {name: 'down', value: -10, text: '-10'},
    ]);
    expect(rows.map(({texts: [name = '', number]}) => [name.length < 60, number])).toEqual([
      [true, '30'],
      [true, '-10'],
    ]);
    expect(rows.map(({title}) => title)).toEqual([`${long}: 30`, 'down: -10']);
    expect(rows.map(({anchor}) => anchor)).toEqual(['start', 'end']);
    expect(Number(rows[0]?.rect['width'])).toBeCloseTo(3 * Number(rows[1]?.rect['width']));
    expect(drawn.attributes).toMatchObject({role: 'img', 'aria-label': 'Time: 2 rows', width: '800'});
    expect(drawn.all('line')).toHaveLength(1);
  });

  it('stacks the parts of a bar in their colours, each as long as its share', () => {
    const parts = [
      {title: 'Kernel', value: 30, text: '30'},
      {title: 'Memset', value: 0, text: '0'},
      {title: 'DataLoader', value: 10, text: '10'},
    ];
    const {drawn} = draw([{name: 'step', value: 40, text: '40', parts} as never]);
    const [kernel, loader, ...others] = drawn.all('rect').map(({attributes}) => attributes);
    expect(others).toEqual([]);
    expect(Number(kernel?.['width'])).toBeCloseTo(3 * Number(loader?.['width']));
    expect(Number(kernel?.['x']) + Number(kernel?.['width'])).toBeCloseTo(Number(loader?.['x']));
    expect(kernel?.['fill']).not.toBe(loader?.['fill']);
    expect(drawn.all('title').map(({textContent}) => textContent)).toContain('step: DataLoader 10 of 40');
  });

  it('says how many of the rows are drawn', () => {
    expect(draw([{name: 'a', value: 1, text: '1'}], 250).drawn.attributes['aria-label']).toBe(
      'Time: the first 1 of 250 rows',
    );
    expect(
      draw([])
        .drawn.all('text')
        .map(({textContent}) => textContent),
    ).toEqual(['Time, 0 rows']);
  });
});
