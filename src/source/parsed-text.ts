import {TreeFragment, type Parser, type Tree} from '@lezer/common';

/** A text and its syntax tree. */
export interface ParsedText {
  readonly text: string;
  readonly tree: Tree;
  readonly fragments: readonly TreeFragment[];
}

/**
 * Parses a text. The parts at both ends that it shares with an earlier text are reused, so that a keystroke in a long
 * text costs about a millisecond.
 */
export function parseText(parser: Parser, text: string, before: ParsedText | null = null): ParsedText {
  if (before?.text === text) return before;
  const kept = before ? TreeFragment.applyChanges(before.fragments, [changeBetween(before.text, text)]) : [];
  const tree = parser.parse(text, kept);
  return {text, tree, fragments: TreeFragment.addTree(tree, kept)};
}

/** Returns the single range in which two texts differ. */
function changeBetween(a: string, b: string): {fromA: number; toA: number; fromB: number; toB: number} {
  const shorter = Math.min(a.length, b.length);
  const from = sharedLength(shorter, (at, length) => a.slice(at, at + length) === b.slice(at, at + length));
  const end = sharedLength(
    shorter - from,
    (at, length) => a.slice(a.length - at - length, a.length - at) === b.slice(b.length - at - length, b.length - at),
  );
  return {fromA: from, toA: a.length - end, fromB: from, toB: b.length - end};
}

/** Returns how far two texts are equal, in shrinking steps: comparing slices is much faster than characters. */
function sharedLength(most: number, isSame: (at: number, length: number) => boolean): number {
  let shared = 0;
  for (let step = 1 << 16; step >= 1; step >>= 1) {
    while (shared + step <= most && isSame(shared, step)) shared += step;
  }
  return shared;
}
