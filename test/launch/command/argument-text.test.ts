import {describe, expect, it} from 'vitest';
import {joinArguments, splitArguments} from '../../../src/launch/command/argument-text.js';
import {seededRandom} from '../../support/random.js';

describe('splitArguments(text, isWindows)', () => {
  it.each([
    ['', []],
    ['  --a   1 ', ['--a', '1']],
    ['--name "two words" x', ['--name', 'two words', 'x']],
    [`'single "quoted"' "it's"`, ['single "quoted"', "it's"]],
    [String.raw`a\ b "c\"d" \\`, ['a b', 'c"d', '\\']],
    [String.raw`C:\data\new "C:\data"`, [String.raw`C:\data\new`, String.raw`C:\data`]],
    ['--x="a b"c', ['--x=a bc']],
    ['"" \'\'', ['', '']],
    ['"open', ['open']],
    ['$HOME * ; | `x`', ['$HOME', '*', ';', '|', '`x`']],
  ])('%s', (text, expected) => {
    expect(splitArguments(text, false)).toEqual(expected);
  });

  // As programs of Windows read their command lines; the last three are from the page of Microsoft's that says how.
  it.each([
    [
      String.raw`\\nas\data "\\nas\my data" C:\new\ x`,
      [String.raw`\\nas\data`, String.raw`\\nas\my data`, 'C:\\new\\', 'x'],
    ],
    [String.raw`--x="C:\my dir\\" y`, ['--x=C:\\my dir\\', 'y']],
    [`'single "quoted"' "it's"`, ['single "quoted"', "it's"]],
    ['"" \'\'', ['', '']],
    ['"open x', ['open x']],
    [String.raw`"it's" 'a"b' '\"' x'`, ["it's", 'a"b', String.raw`\"`, 'x']],
    ['"a b c" d e', ['a b c', 'd', 'e']],
    [String.raw`"ab\"c" "\\" d`, ['ab"c', '\\', 'd']],
    [
      String.raw`a\\\b d"e f"g h a\\\"b c d a\\\\"b c" d e`,
      [String.raw`a\\\b`, 'de fg', 'h', String.raw`a\"b`, 'c', 'd', String.raw`a\\b c`, 'd', 'e'],
    ],
  ])('%s, on Windows', (text, expected) => {
    expect(splitArguments(text, true)).toEqual(expected);
  });

  it.each([false, true])('takes apart what joinArguments puts together (on Windows: %s)', isWindows => {
    const random = seededRandom(1);
    const letters = 'ab "\'\\$\t;é';
    for (let round = 0; round < 500; round++) {
      const args = Array.from({length: Math.floor(random() * 4)}, () =>
        Array.from({length: Math.floor(random() * 6)}, () =>
          letters.charAt(Math.floor(random() * letters.length)),
        ).join(''),
      );
      expect(splitArguments(joinArguments(args, isWindows), isWindows)).toEqual(args);
    }
  });

  it('takes no longer for many backslashes', () => {
    const slashes = '\\'.repeat(200_000);
    expect(splitArguments(`${slashes}x "${slashes}x`, true)).toEqual([`${slashes}x`, `${slashes}x`]);
    expect(splitArguments(joinArguments([slashes], true), true)).toEqual([slashes]);
  });
});
