import {crc32} from 'node:zlib';
import {describe, expect, it} from 'vitest';
import {recordedLines} from '../../../src/core/source/recorded-lines.js';

const crcs = (text: string) => text.split('\n').map(line => crc32(line));

/** Line now → line of `then`, for a text of letters, a line each. */
function linesThen(then: string, now: string): (number | null)[] {
  const lines = crcs(now);
  const lineThen = recordedLines(crcs(then), {lineCount: lines.length, crcAt: line => lines[line - 1] ?? NaN});
  return lines.map((_, at) => lineThen(at + 1));
}

describe('recordedLines(recorded, now)', () => {
  it('is the same for what was not edited', () => {
    expect(linesThen('a\nb\nc', 'a\nb\nc')).toEqual([1, 2, 3]);
    expect(linesThen('a\nb', 'a\nb\n').slice(0, 2)).toEqual([1, 2]);
  });

  it('follows lines that edits above have moved', () => {
    expect(linesThen('a\nb\nc', 'x\ny\na\nb\nc')).toEqual([null, null, 1, 2, 3]);
    expect(linesThen('a\nb\nc', 'c')).toEqual([3]);
    expect(linesThen('a\nb\nc\n', 'x\na\nb\nc')).toEqual([null, 1, 2, 3]);
  });

  it('tells lines between two edits by what they are, those that are alike by their order', () => {
    expect(linesThen('a\nw\nb\nw\nc\nd', 'x\na\nw\nb\nw\nc\ny\nd')).toEqual([null, 1, 2, 3, 4, 5, null, 6]);
  });

  it('is null for one of several alike of which one came or went', () => {
    expect(linesThen('a\nw\nb\nw\nc', 'x\nb\nw\ny')).toEqual([null, 3, null, null]);
  });

  it('keeps a line that was edited in its place', () => {
    expect(linesThen('a\nb\nc', 'a\nB\nc')).toEqual([1, 2, 3]);
  });
});
