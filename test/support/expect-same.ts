import {isDeepStrictEqual} from 'node:util';
import {expect} from 'vitest';

/**
 * Fails unless `actual` equals `expected`, as `toEqual` has it. Node compares typed arrays by their bytes, where `toEqual`
 * takes seconds for those of a trace; it is asked only about what node calls different.
 */
export function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
