import {TreeFragment, type Parser, type Tree} from '@lezer/common';

/** A text and its syntax tree. */
export interface ParsedText {
  readonly text: string;
  readonly tree: Tree;
  readonly fragments: readonly TreeFragment[];
}

/**
 * The tree of a text. What an earlier text shares with it at both ends is taken from there, so that a key in a long
 * text costs about a millisecond.
 */
export function parseText(parser: Parser, text: string, before: ParsedText | null = null): ParsedText {
  if (before?.text === text) return before;
  const kept = before ? TreeFragment.applyChanges(before.fragments, [changeBetween(before.text, text)]) : [];
  const tree = parser.parse(text, kept);
  return {text, tree, fragments: TreeFragment.addTree(tree, kept)};
}

/** The one stretch in which two texts differ. */
function changeBetween(a: string, b: string): {fromA: number; toA: number; fromB: number; toB: number} {
  const shorter = Math.min(a.length, b.length);
  let from = 0;
  while (from < shorter && a.charCodeAt(from) === b.charCodeAt(from)) from++;
  let end = 0;
  while (end < shorter - from && a.charCodeAt(a.length - 1 - end) === b.charCodeAt(b.length - 1 - end)) end++;
  return {fromA: from, toA: a.length - end, fromB: from, toB: b.length - end};
}
