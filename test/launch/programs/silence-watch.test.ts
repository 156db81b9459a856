import {afterEach, beforeEach, describe, expect, it, vi} from 'vitest';
import {SilenceWatch} from '../../../src/launch/programs/silence-watch.js';

const limitMs = 2000;
const pollMs = 500;

/** Goes on by a number of checks. */
const checks = (count: number) => vi.advanceTimersByTimeAsync(count * pollMs);

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

describe('SilenceWatch(limitMs, sign)', () => {
  it('aborts once the sign has been the same for the limit', async () => {
    const {signal} = new SilenceWatch(limitMs, () => Promise.resolve('same'));
    await checks(4);
    expect(signal.aborted).toBe(false);
    await checks(1);
    expect(signal.aborted).toBe(true);
  });

  it('does not count time in which the machine slept', async () => {
    const {signal} = new SilenceWatch(limitMs, () => Promise.resolve('same'));
    await checks(2);
    vi.setSystemTime(Date.now() + 3_600_000);
    const afterSleepMs = performance.now() + 3_600_000;
    vi.spyOn(performance, 'now').mockReturnValue(afterSleepMs);
    await checks(2);
    expect(signal.aborted).toBe(false);
    await checks(1);
    expect(signal.aborted).toBe(true);
  });

  it.each([
    ['changes', (check: number) => String(check)],
    ['may wait, however long', () => null],
  ])('does not abort while the program %s', async (_what, sign) => {
    let check = 0;
    const {signal} = new SilenceWatch(limitMs, () => Promise.resolve(sign(++check)));
    await checks(50);
    expect(check).toBe(50);
    expect(signal.aborted).toBe(false);
  });

  it('begins to count anew with every change', async () => {
    let sign = 'first';
    const {signal} = new SilenceWatch(limitMs, () => Promise.resolve(sign));
    await checks(4);
    sign = 'second';
    await checks(4);
    expect(signal.aborted).toBe(false);
    await checks(1);
    expect(signal.aborted).toBe(true);
  });

  it('never looks where the limit is 0', async () => {
    const sign = vi.fn(() => Promise.resolve('same'));
    const {signal} = new SilenceWatch(0, sign);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sign).not.toHaveBeenCalled();
    expect(signal.aborted).toBe(false);
  });

  it('looks no more once it is stopped, also during a look', async () => {
    const sign = vi.fn(() => {
      watch.stop();
      return Promise.resolve('same');
    });
    const watch = new SilenceWatch(limitMs, sign);
    await checks(50);
    expect(sign).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(watch.signal.aborted).toBe(false);
  });
});
