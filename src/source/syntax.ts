import type {SyntaxNode} from '@lezer/common';

/** Returns the children of a node, in order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** Code that people write nests a few dozen levels; climbing in malicious texts must end. */
const mostLevels = 1000;

/** Returns the innermost node, from this one outwards, that has one of `names`; null for none. */
export function closest(node: SyntaxNode | null, names: ReadonlySet<string>): SyntaxNode | null {
  let at = node;
  for (let level = 0; at && level < mostLevels; level++, at = at.parent) if (names.has(at.name)) return at;
  return null;
}

/**
 * Returns the last offset of `[from, to)` that is not white space: nodes of blocks end where the next line with text
 * begins.
 */
export function lastVisible(text: string, from: number, to: number): number {
  let end = to - 1;
  while (end > from && /\s/.test(text.charAt(end))) end--;
  return end;
}
