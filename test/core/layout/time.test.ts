import {describe, expect, it} from 'vitest';
import {timeTicks} from '../../../src/core/layout/time-ticks.js';
import {fitAll, panBy, sane, zoomAt} from '../../../src/core/base/time-window.js';

const spanNs = 1_000_000;

describe('zoomAt(window, fraction, factor)', () => {
  it('keeps the time under the cursor where it is', () => {
    const window = {fromNs: 100_000, toNs: 300_000};
    const zoomed = zoomAt(window, 0.25, 0.5, spanNs);
    expect(zoomed).toEqual({fromNs: 125_000, toNs: 225_000});
    expect(zoomed.fromNs + 0.25 * (zoomed.toNs - zoomed.fromNs)).toBe(150_000);
  });

  it('stops at 20 ns, and at the whole trace', () => {
    const near = zoomAt({fromNs: 0, toNs: 40}, 0.5, 1e-9, spanNs);
    expect(near.toNs - near.fromNs).toBe(20);
    const far = zoomAt({fromNs: 0, toNs: spanNs}, 0.5, 1e9, spanNs);
    expect(far.toNs - far.fromNs).toBe(fitAll(spanNs).toNs - fitAll(spanNs).fromNs);
  });
});

it('panBy(window, fraction) moves, but never out of sight of the trace', () => {
  expect(panBy({fromNs: 0, toNs: 100_000}, 0.5, spanNs)).toEqual({fromNs: 50_000, toNs: 150_000});
  expect(panBy({fromNs: 0, toNs: 100_000}, -99, spanNs)).toEqual({fromNs: -50_000, toNs: 50_000});
  expect(panBy({fromNs: 0, toNs: 100_000}, 99, spanNs)).toEqual({fromNs: 950_000, toNs: 1_050_000});
});

it('sane(window) mends what cannot be shown', () => {
  expect(sane({fromNs: NaN, toNs: 1}, spanNs)).toEqual(fitAll(spanNs));
  expect(sane({fromNs: 5, toNs: 5}, spanNs)).toEqual(fitAll(spanNs));
  expect(sane({fromNs: 10, toNs: 20}, spanNs)).toEqual({fromNs: 5, toNs: 25});
});

describe('timeTicks(window, count)', () => {
  it.each([
    [{fromNs: 0, toNs: 245_000_000}, ['0 ms', '50 ms', '100 ms', '150 ms', '200 ms']],
    [{fromNs: 1_200_000_000, toNs: 1_200_400_000}, ['1.2000 s', '1.2001 s', '1.2002 s', '1.2003 s', '1.2004 s']],
    [{fromNs: 0, toNs: 40}, ['0 ns', '10 ns', '20 ns', '30 ns', '40 ns']],
    [{fromNs: 0, toNs: 20_000_000_000}, ['0 s', '5 s', '10 s', '15 s', '20 s']],
  ])('names the times of %o so that neighbours differ', (window, expected) => {
    expect(timeTicks(window, 5).map(({text}) => text)).toEqual(expected);
  });
});
