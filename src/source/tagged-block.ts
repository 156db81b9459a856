import type {SyntaxNode} from '@lezer/common';
import {parser} from '@lezer/python';
import type {SourceTag} from '../core/source/source-tag.js';

/**
 * The tag whose range is open at a place of a Python text: of the innermost `with` block or decorated function around
 * it that a tag opens, its first line among it; null where none is.
 *
 * @param tags those of the text, as `findPythonTags` gives them
 * @param offset in UTF-16 units
 */
export function tagAround(text: string, tags: readonly SourceTag[], offset: number): SourceTag | null {
  if (tags.length === 0) return null;
  const tree = parser.parse(text);
  let best: SourceTag | null = null;
  let bestLength = Infinity;
  for (const tag of tags) {
    const block = blockOf(tree.resolveInner(tag.offset, 1));
    if (!block || offset < block.from || offset > block.to || block.to - block.from >= bestLength) continue;
    best = tag;
    bestLength = block.to - block.from;
  }
  return best;
}

/** The statement that a call opens a range for: a call in its body opens none for it. */
function blockOf(call: SyntaxNode): SyntaxNode | null {
  for (let node: SyntaxNode | null = call; node; node = node.parent) {
    if (node.name === 'Body') return null;
    if (node.name === 'WithStatement' || node.name === 'DecoratedStatement') return node;
  }
  return null;
}
