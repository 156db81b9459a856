import {describe, expect, it} from 'vitest';
import {parseEvent} from '../../../src/importers/reading/parse-event.js';

describe('parseEvent(text)', () => {
  it.each([
    ['{"a": [NaN, -inf, Infinity, nan], "b": 1}', {a: ['NaN', '-inf', 'Infinity', 'nan'], b: 1}],
    [String.raw`{"path": "C:\data\x", "v": 1}`, {path: String.raw`C:\data\x`, v: 1}],
    [String.raw`{"told": "nan \"inf\" \\d \u00e9", "v": NaN}`, {told: 'nan "inf" \\d é', v: 'NaN'}],
    ['{"open": "', null],
    ['no event', null],
  ])('%s', (text, expected) => {
    expect(parseEvent(text)).toEqual(expected);
  });

  it('takes a text of 12 MB beside a word that is no JSON', () => {
    const long = 'x'.repeat(12e6);
    expect(parseEvent(`{"a": "${long}", "v": NaN}`)).toEqual({a: long, v: 'NaN'});
    const escapes = String.raw`\d`.repeat(1e6);
    expect(parseEvent(`{"a": "${escapes}", "v": NaN}`)).toEqual({a: escapes, v: 'NaN'});
  });
});
