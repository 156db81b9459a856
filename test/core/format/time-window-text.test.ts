import {expect, it} from 'vitest';
import {parseTimeWindow, timeWindowText} from '../../../src/core/format/time-window-text.js';
import {seededRandom} from '../../support/random.js';

it.each([
  [12_300_000, 45_600_000, '12.3–45.6 ms'],
  [0, 950, '0–950 ns'],
  [1_204_517_000, 1_204_617_000, '1.204517–1.204617 s'],
  [0, 2_000_000_000, '0.00–2.00 s'],
])('timeWindowText({fromNs: %d, toNs: %d}) is %s', (fromNs, toNs, text) => {
  expect(timeWindowText({fromNs, toNs})).toBe(text);
});

it('timeWindowText(window) is a window that can be typed, a hundredth of its width off at most', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 500; round++) {
    const fromNs = Math.floor(random() * 10 ** (3 + 8 * random()));
    const window = {fromNs, toNs: fromNs + 1 + Math.floor(random() * 10 ** (2 + 8 * random()))};
    const typed = parseTimeWindow(timeWindowText(window));
    const mostNs = Math.max(1, (window.toNs - window.fromNs) / 100);
    expect(Math.abs((typed?.fromNs ?? NaN) - window.fromNs)).toBeLessThanOrEqual(mostNs);
    expect(Math.abs((typed?.toNs ?? NaN) - window.toNs)).toBeLessThanOrEqual(mostNs);
  }
});
