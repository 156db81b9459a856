import {afterEach, describe, expect, it} from 'vitest';
import {csvCell, oneLine, terminalJson, writeExactly} from '../../../src/core/format/cells.js';

const hostile = [
  '\u001b[2J',
  '\u001b]52;c;Y2F0\u0007',
  'nul\u0000',
  'c1 \u009b31m',
  'bidi \u202egpj.exe',
  'isolate \u2066x\u2069',
  'line\u2028end',
  'del\u007f',
];
const obeyed = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

afterEach(() => {
  writeExactly(false);
});

describe('texts of strangers', () => {
  it.each(hostile)('%j is written without what a terminal obeys', text => {
    expect(oneLine(text)).not.toMatch(obeyed);
    expect(csvCell(text)).not.toMatch(obeyed);
    const json = terminalJson(JSON.stringify({text}));
    expect(json).not.toMatch(obeyed);
    expect(JSON.parse(json)).toEqual({text});
  });

  it.each(hostile)('%j is written as it is where that is asked for', text => {
    writeExactly(true);
    expect(oneLine(text)).toBe(text);
    expect(csvCell(text)).toBe(text);
  });

  it.each(['=1+2', '+cmd|x', '-2+3', '@SUM(A1)', ' =1', '\t=1', '=HYPERLINK("x")', '-x'])(
    '%j is no formula in a CSV',
    text => {
      expect(csvCell(text).replace(/^"/, '')).toMatch(/^'/);
    },
  );

  it.each(['-5', '+3.5', '-1.2e-7', '-1,234.5', '-12.5 %', '-', 'a=b', 'gemm'])('%j stays as it is', text => {
    expect(csvCell(text).replaceAll('"', '')).toBe(text);
  });

  it('names of letters from right to left stay as they are', () => {
    expect(oneLine('שלום مرحبا größe 名前 👩‍💻')).toBe('שלום مرحبا größe 名前 👩‍💻');
  });
});
