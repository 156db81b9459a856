import type {SyntaxNode} from '@lezer/common';

/**
 * Where the statement ends that a call opens a range for: its `with`, or the function that it decorates. Null for a
 * call that stands elsewhere: one in the body of a statement opens none for it.
 */
export function blockEnd(call: SyntaxNode, text: string): number | null {
  const block = blockOf(call);
  return block && lastVisible(text, block.from, block.to);
}

function blockOf(call: SyntaxNode): SyntaxNode | null {
  for (let node: SyntaxNode | null = call; node; node = node.parent) {
    if (node.name === 'Body') return null;
    if (node.name === 'WithStatement' || node.name === 'DecoratedStatement') return node;
  }
  return null;
}

/** The last offset of `[from, to)` that is no white space: a block's node ends at the next line that has any. */
function lastVisible(text: string, from: number, to: number): number {
  let end = to - 1;
  while (end > from && /\s/.test(text.charAt(end))) end--;
  return end;
}
