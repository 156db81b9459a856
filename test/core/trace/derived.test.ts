import {describe, expect, it} from 'vitest';
import {arrayBytes, derived, traceBytes} from '../../../src/core/trace/derived.js';
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
    const ask = (trace: typeof one, key: string) =>
      derived(trace, key, () => {
        made++;
        return {column: new Float64Array(100)};
      });
    const bytes = traceBytes(one);
    expect(ask(one, 'a')).toBe(ask(one, 'a'));
    expect(made).toBe(1);
    expect(traceBytes(one)).toBe(bytes + 800);
    ask(one, 'b');
    ask(two, 'a');
    expect(made).toBe(3);
    derived(
      one,
      'c',
      () => 'text',
      ({length}) => length,
    );
    expect(traceBytes(one)).toBe(bytes + 1604);
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
