import {expect, it} from 'vitest';
import {KeptOutput} from '../../src/launch/nsys/kept-output.js';

/** What is kept of a text that comes in pieces of some length. */
function kept(text: string, pieceLength: number): string {
  const output = new KeptOutput();
  for (let at = 0; at < text.length; at += pieceLength) output.add(text.slice(at, at + pieceLength));
  return output.text;
}

it('KeptOutput has all of what is short, and the begin and the end of what is long', () => {
  const [short, long] = ['a'.repeat(16_384) + 'b'.repeat(65_536), 'a'.repeat(16_384) + 'c' + 'b'.repeat(65_536)];
  for (const pieceLength of [1_000, 16_384, 100_000]) {
    expect(kept(short, pieceLength)).toBe(short);
    expect(kept(long, pieceLength)).toBe('a'.repeat(16_384) + '\n' + 'b'.repeat(65_536));
  }
});
