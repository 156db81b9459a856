import {describe, expect, it} from 'vitest';
import {needMore} from '../../../src/importers/reading/json-bytes.js';
import {NumberScanner} from '../../../src/importers/kineto/number-scanner.js';

function scan(text: string, end = text.length + 1): {at: number; whole: number; thousandths: number; isExact: boolean} {
  const bytes = new TextEncoder().encode(`${text},\0\0`);
  const scanner = new NumberScanner();
  const at = scanner.scan(bytes, 0, end);
  return {at, whole: scanner.whole, thousandths: scanner.thousandths, isExact: scanner.isExact};
}

describe('NumberScanner', () => {
  it.each([
    ['0', 0, 0],
    ['1712195495519689.053', 1712195495519689, 53],
    ['12.5', 12, 500],
    ['12.0004', 12, 0],
    ['12.0005', 12, 1],
    ['12.9999', 12, 1000],
    ['-3.25', -3, -250],
    ['4401891434989.786', 4401891434989, 786],
    ['1e3', 1000, 0],
    ['1.5E2', 150, 0],
    ['2.5e-1', 0, 250],
  ])('reads %s', (text, whole, thousandths) => {
    expect(scan(text)).toEqual({at: text.length, whole, thousandths, isExact: true});
  });

  it('says where an integer does not fit a double', () => {
    expect(scan('10159970886766084423').isExact).toBe(false);
    expect(scan('9007199254740991').isExact).toBe(true);
    expect(scan('9007199254740993').isExact).toBe(false);
  });

  it('wants more where the window ends within the number', () => {
    expect(scan('1234', 4).at).toBe(needMore);
    expect(scan('12e', 3).at).toBe(needMore);
  });

  it('survives numbers that nobody wrote', () => {
    expect(scan(`1e${'9'.repeat(500)}`)).toMatchObject({whole: NaN, isExact: false});
    expect(scan('9'.repeat(400)).isExact).toBe(false);
  });
});
