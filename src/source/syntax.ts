import type {SyntaxNode} from '@lezer/common';

/** The children of a node, in order. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}

/** People nest a few dozen deep; texts that mean harm would be climbed for ever. */
const mostLevels = 1000;

/** The innermost of a node and those around it that has one of `names`; null for none. */
export function closest(node: SyntaxNode | null, names: ReadonlySet<string>): SyntaxNode | null {
  let at = node;
  for (let level = 0; at && level < mostLevels; level++, at = at.parent) if (names.has(at.name)) return at;
  return null;
}

/** The last offset of `[from, to)` that is no white space: nodes of blocks end where the next line with text begins. */
export function lastVisible(text: string, from: number, to: number): number {
  let end = to - 1;
  while (end > from && /\s/.test(text.charAt(end))) end--;
  return end;
}
