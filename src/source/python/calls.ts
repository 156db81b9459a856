import type {SyntaxNode} from '@lezer/common';
import {childrenOf} from '../syntax.js';
import {dottedName, resolveDotted} from './imports.js';
import type {PythonText} from './python-text.js';

/** A call, or a decorator. */
export interface Call {
  /** The expression, without a decorator's "@". */
  readonly node: SyntaxNode;
  readonly isDecorator: boolean;
  /** Start and end of the called expression in the text. */
  readonly from: number;
  readonly to: number;
  /** Null for a decorator without arguments. */
  readonly list: SyntaxNode | null;
}

/** Returns the call at a node; null if it is not a call. */
export function callAt(node: SyntaxNode): Call | null {
  const list = node.getChild('ArgList');
  if (node.name === 'CallExpression') {
    return list && {node, isDecorator: false, from: node.from, to: list.from, list};
  }
  if (node.name !== 'Decorator') return null;
  // A decorator's dotted name consists of siblings after the "@".
  const names = childrenOf(node).filter(({name}) => name === 'VariableName');
  const to = list?.from ?? names.at(-1)?.to ?? node.from + 1;
  return {node, isDecorator: true, from: names[0]?.from ?? node.from + 1, to, list};
}

/** Returns the dotted names that a call can mean after resolving imports; none for a call of anything but a name. */
export function namesOfCall({from, to}: Pick<Call, 'from' | 'to'>, {text, imports}: PythonText): string[] {
  const dotted = dottedName(text.slice(from, to));
  return dotted === null ? [] : resolveDotted(dotted, imports);
}

/** Returns the argument at a position, from 0, or with one of `keywords`; null if there is none. */
export function argumentOf(
  list: SyntaxNode | null,
  position: number,
  keywords: readonly string[],
  {text}: PythonText,
): SyntaxNode | null {
  let at = 0;
  for (const [first, second, value] of list ? argumentsOf(list) : []) {
    if (!first) continue;
    if (second?.name === 'AssignOp') {
      if (keywords.includes(text.slice(first.from, first.to))) return value ?? null;
    } else if (first.name.startsWith('*')) {
      // Unpacked arguments may take any position.
      at = Infinity;
    } else if (at++ === position) return first;
  }
  return null;
}

/** Returns the number of a call's arguments. */
export function argumentCount(list: SyntaxNode | null): number {
  return list ? argumentsOf(list).length : 0;
}

function argumentsOf(list: SyntaxNode): SyntaxNode[][] {
  const found: SyntaxNode[][] = [[]];
  for (const child of childrenOf(list)) {
    if (child.name === ',') found.push([]);
    else if (!['(', ')', 'Comment'].includes(child.name)) found.at(-1)?.push(child);
  }
  return found.filter(words => words.length > 0);
}
