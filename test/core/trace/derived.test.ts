import {describe, expect, it} from 'vitest';
import {attributionOf} from '../../../src/core/scope/attribution-of.js';
import {arrayBytes, derived, derivedKey, derivedLately, traceBytes} from '../../../src/core/trace/derived.js';
import {taggedRangeKinds} from '../../../src/core/trace/slices.js';
import {traceFromText} from '../../support/trace-from-text.js';

const drawing = `
  range outer     ==========
  call            A    B
  stream 7          AAA  BB
`;

describe('derived(trace, key, make)', () => {
  it('makes a value once for each trace and key, and counts what it holds', () => {
    const [one, two] = [traceFromText(drawing), traceFromText(drawing)];
    let made = 0;
    const [a, b] = [derivedKey<{column: Float64Array}>('same'), derivedKey<{column: Float64Array}>('same')];
    const ask = (trace: typeof one, key: typeof a) =>
      derived(trace, key, () => {
        made++;
        return {column: new Float64Array(100)};
      });
    const bytes = traceBytes(one);
    expect(ask(one, a)).toBe(ask(one, a));
    expect(made).toBe(1);
    expect(traceBytes(one)).toBe(bytes + 800);
    ask(one, b);
    ask(two, a);
    expect(made).toBe(3);
    derived(
      one,
      derivedKey<string>('c'),
      () => 'text',
      ({length}) => length,
    );
    expect(traceBytes(one)).toBe(bytes + 1604);
  });
});

it('a key of one type is none of another', () => {
  const trace = traceFromText(drawing);
  const count = derivedKey<number>('count');
  derived(trace, count, () => 1);
  // @ts-expect-error a text cannot be kept under the key of a number
  expect(derived(trace, count, () => 'text')).toBe(1);
});

describe('derivedLately(trace, key, part, most, make)', () => {
  it('keeps those that were asked for last, and counts their memory alone', () => {
    const trace = traceFromText(drawing);
    const bytes = traceBytes(trace);
    const made: string[] = [];
    const [group, other] = [derivedKey<{column: Float64Array}>('group'), derivedKey<{column: Float64Array}>('other')];
    const ask = (part: string, key = group) =>
      derivedLately(trace, key, part, 2, () => {
        made.push(part);
        return {column: new Float64Array(100)};
      });
    for (const part of ['a', 'b', 'a', 'c', 'a', 'b']) ask(part);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    expect(traceBytes(trace)).toBe(bytes + 1600);
    ask('d', other);
    expect(traceBytes(trace)).toBe(bytes + 2400);
  });

  it('is how attributions of other ranges than the usual ones are kept', () => {
    const trace = traceFromText(drawing);
    const usual = attributionOf(trace);
    const before = traceBytes(trace);
    const ask = (domain: string) => attributionOf(trace, {kinds: taggedRangeKinds, domain});
    const first = ask('0');
    const one = traceBytes(trace) - before;
    for (let at = 1; at < 20; at++) ask(String(at));
    expect(traceBytes(trace) - before).toBeLessThanOrEqual(4 * one);
    expect(ask('19')).toBe(ask('19'));
    expect(ask('0')).not.toBe(first);
    expect(attributionOf(trace)).toBe(usual);
  });
});

describe('arrayBytes(value)', () => {
  it('counts the memory behind typed arrays, shared memory once and whole', () => {
    const shared = new Float64Array(10);
    expect(arrayBytes({a: shared, b: shared.subarray(0, 2), c: {d: new Uint8Array(3)}})).toBe(83);
    expect(arrayBytes(new Int32Array(2))).toBe(8);
  });

  it('is 0 for what holds none, and ends where objects refer to themselves', () => {
    const circle: Record<string, unknown> = {column: new Uint8Array(1)};
    circle['self'] = circle;
    expect(arrayBytes(circle)).toBe(1);
    for (const value of [null, undefined, 5, 'text', [new Uint8Array(9)], new Map()]) expect(arrayBytes(value)).toBe(0);
  });
});
