import {afterEach, beforeEach, expect, it, vi} from 'vitest';
import {RestTimer} from '../../../src/host/base/rest-timer.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it('whenStill(act) calls the latest alone, after the pause that follows it', () => {
  const done: string[] = [];
  const rest = new RestTimer(100);
  rest.whenStill(() => done.push('first'));
  vi.advanceTimersByTime(99);
  rest.whenStill(() => done.push('second'));
  vi.advanceTimersByTime(99);
  expect(done).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['second']);
  vi.advanceTimersByTime(1000);
  expect(done).toEqual(['second']);
});

it('dispose() drops what waits', () => {
  const done: string[] = [];
  const rest = new RestTimer(100);
  rest.whenStill(() => done.push('late'));
  rest.dispose();
  vi.advanceTimersByTime(1000);
  expect(done).toEqual([]);
});
