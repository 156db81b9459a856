import type {Tree} from '@lezer/common';
import {callAt, type Call} from './calls.js';
import {resolveDotted, type Imports} from './imports.js';
import {closerOf, openerOf, qualifiedWords, unqualifiedWords} from './tag-calls.js';

/**
 * Returns the calls of a text that may open or close a range, in order. Searches the text for their names, and looks up
 * only these in the tree: walking the whole tree of a long file takes longer than parsing an edit.
 */
export function candidateCalls(tree: Tree, text: string, imports: Imports): Call[] {
  const calls: Call[] = [];
  for (const match of text.matchAll(wordsOf(imports))) {
    const to = match.index + match[0].length;
    const call = callAround(tree, to);
    if (call && text.slice(to, call.to).trim() === '') calls.push(call);
  }
  return calls;
}

/**
 * Returns an expression for names that mean a tag after a dot, and for names that mean one by themselves, in this text.
 */
function wordsOf(imports: Imports): RegExp {
  const alone = new Set(unqualifiedWords);
  for (const local of imports.names.keys()) {
    const names = resolveDotted(local, imports);
    if (openerOf(names) ?? closerOf(names)) alone.add(local);
  }
  if (imports.stars.length > 0) for (const word of qualifiedWords) alone.add(word);
  // Only identifiers, which contain no special characters of expressions.
  const word = (words: Iterable<string>) => [...words].join('|');
  return new RegExp(
    `(?<![\\p{L}\\p{N}_])(?:${word(alone)})(?![\\p{L}\\p{N}_])|\\.\\s*(?:${word(qualifiedWords)})\\b`,
    'gu',
  );
}

function callAround(tree: Tree, end: number): Call | null {
  let node = tree.resolveInner(end, -1).parent;
  if (node?.name === 'MemberExpression') node = node.parent;
  return node && callAt(node);
}
