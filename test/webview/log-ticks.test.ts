import {describe, expect, it} from 'vitest';
import {logTicks} from '../../webview/roofline/log-ticks.js';

describe('logTicks(domain, most)', () => {
  it('labels powers of ten, further apart where there is no room for all of them', () => {
    const fourteenDecades = [2e4, 3e15] as const;
    expect(logTicks(fourteenDecades, 12)).toEqual([1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15]);
    expect(logTicks(fourteenDecades, 4)).toEqual([1e5, 1e8, 1e11, 1e14]);
  });

  it('labels 2 and 5 times a power, too, where there is room', () => {
    expect(logTicks([0.15, 30], 8)).toEqual([0.2, 0.5, 1, 2, 5, 10, 20]);
  });

  it('never labels more values than asked for, whatever the domain', () => {
    for (let decades = 0.1; decades < 20; decades += 0.3)
      for (let most = 2; most < 15; most++) {
        const found = logTicks([3e-3, 3e-3 * 10 ** decades], most);
        expect(found.length).toBeLessThanOrEqual(most);
        expect(found).toEqual([...found].sort((a, b) => a - b));
      }
  });
});
