import {describe, expect, it} from 'vitest';
import {JsonSkip} from '../../../src/importers/reading/json-skip.js';

/** Where a value ends whose bytes come in three parts, cut at two places. */
function endInParts(bytes: Uint8Array, first: number, second: number): number {
  const skip = new JsonSkip();
  skip.begin();
  for (const [from, to] of [
    [0, first],
    [first, second],
    [second, bytes.length],
  ] as const) {
    const at = skip.skip(bytes, from, to);
    if (at < to) return at;
  }
  return bytes.length;
}

describe('skip(bytes, position, end) passes over a value, wherever its bytes are cut', () => {
  it.each([
    String.raw`"a, b"`,
    String.raw`"a\"b\\"`,
    String.raw`"\\\"\\\\"`,
    String.raw`"\\\\\\"`,
    String.raw`""`,
    String.raw`{"a\\": ["}", "\"]"], "b": {"c": -1.5e3}}`,
    'NaN',
  ])('%s', value => {
    for (const behind of [', "next": 1', '}', ']']) {
      const bytes = new TextEncoder().encode(value + behind);
      for (let first = 0; first <= bytes.length; first++) {
        for (let second = first; second <= bytes.length; second++) {
          expect(endInParts(bytes, first, second), `${String(first)}, ${String(second)}`).toBe(value.length);
        }
      }
    }
  });

  it('a text that does not end goes on to the end of the bytes', () => {
    for (const text of [String.raw`"a\"`, String.raw`"a\\\"`, '"', '"a, b']) {
      const bytes = new TextEncoder().encode(text);
      expect(endInParts(bytes, 1, bytes.length)).toBe(bytes.length);
    }
  });
});
