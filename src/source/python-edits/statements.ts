import type {SyntaxNode} from '@lezer/common';
import type {ParsedText} from '../parsed-text.js';
import {childrenOf, lastVisible} from '../syntax.js';
import {lineEnd, lineStart} from './lines.js';

/** Consecutive statements of one block, on lines of their own. */
export interface Statements {
  readonly nodes: readonly SyntaxNode[];
  /** Start of the first line, and end of the last line including the comment after the last statement. */
  readonly from: number;
  readonly to: number;
}

/**
 * Returns the fewest whole statements that a selection touches; null if it touches none that can be put into a block.
 */
export function statementsIn(parsed: ParsedText, from: number, to: number): Statements | null {
  const {text, tree} = parsed;
  const [start, end] = trimmed(text, from, to);
  for (let block = blockAround(tree.resolveInner(start, 1)); block; block = blockAround(block.parent)) {
    const found = end <= block.to ? chosenIn(block, start, end, text) : null;
    if (found) return found;
  }
  return null;
}

/** Returns a selection without the white space around it; for an empty selection, the text of its line. */
function trimmed(text: string, from: number, to: number): [number, number] {
  let [start, end] = from === to ? [lineStart(text, from), lineEnd(text, from)] : [from, to];
  while (start < end && /\s/.test(text.charAt(start))) start++;
  while (end > start && /\s/.test(text.charAt(end - 1))) end--;
  return [start, end];
}

function blockAround(node: SyntaxNode | null): SyntaxNode | null {
  for (let at = node; at; at = at.parent) if (at.name === 'Body' || at.name === 'Script') return at;
  return null;
}

const noStatements = new Set([':', ';', 'Comment', '⚠']);

function chosenIn(block: SyntaxNode, from: number, to: number, text: string): Statements | null {
  const all = childrenOf(block).filter(({name}) => !noStatements.has(name));
  const isTouched = (node: SyntaxNode) => endOf(node, text) > from && node.from < to;
  const [first, last] = withNeighbours(all, all.findIndex(isTouched), all.findLastIndex(isTouched), text);
  // A selection that begins in a block's header means the whole statement.
  if (first < 0 || (block.name === 'Body' && from < block.from)) return null;
  const nodes = all.slice(first === 0 && isDocstring(all[0], block) ? 1 : first, last + 1);
  const [head, tail] = [nodes[0], nodes.at(-1)];
  if (!head || !tail || nodes.some(node => isFutureImport(node, text) || hasErrors(node))) return null;
  const start = lineStart(text, head.from);
  // A block on the same line as its colon has no lines of its own.
  if (text.slice(start, head.from).trim() !== '') return null;
  return {nodes, from: start, to: lineEnd(text, endOf(tail, text))};
}

/** Statements that share a line stay together. */
function withNeighbours(all: readonly SyntaxNode[], from: number, to: number, text: string): [number, number] {
  const shareLine = (before: SyntaxNode | undefined, after: SyntaxNode | undefined) =>
    before && after ? lineStart(text, endOf(before, text)) === lineStart(text, after.from) : false;
  let [first, last] = [from, to];
  while (first > 0 && shareLine(all[first - 1], all[first])) first--;
  while (last >= 0 && shareLine(all[last], all[last + 1])) last++;
  return [first, last];
}

/** Returns the offset after a statement's last character. */
export function endOf({from, to}: SyntaxNode, text: string): number {
  return lastVisible(text, from, to) + 1;
}

/** The docstring of a module, class or function must stay its first statement. */
function isDocstring(node: SyntaxNode | undefined, block: SyntaxNode): boolean {
  const owner = block.name === 'Script' || /^(Function|Class)Definition$/.test(block.parent?.name ?? '');
  const expression = node?.name === 'ExpressionStatement' ? node.firstChild?.name : null;
  return owner && (expression === 'String' || expression === 'ContinuedString');
}

function isFutureImport(node: SyntaxNode, text: string): boolean {
  return node.name === 'ImportStatement' && /^from\s+__future__\b/.test(text.slice(node.from, node.to));
}

function hasErrors(node: SyntaxNode): boolean {
  let found = false;
  node.cursor().iterate(({type}) => {
    found ||= type.isError;
    return !found;
  });
  return found;
}
