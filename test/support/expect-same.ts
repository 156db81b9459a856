import {isDeepStrictEqual} from 'node:util';
import {expect} from 'vitest';

/**
 * Fails unless `actual` equals `expected`, as with `toEqual`. Node compares typed arrays by their bytes, while
 * `toEqual` takes seconds for those of a trace; it only checks values that node finds different.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
