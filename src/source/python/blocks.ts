import type {SyntaxNode} from '@lezer/common';
import {childrenOf, lastVisible} from '../syntax.js';
import {functionAround} from './bindings.js';
import type {PythonText} from './python-text.js';

/**
 * Returns the last offset of the code that runs while the range of a call is open: of its `with`, of the function that
 * it decorates, of the later `with` that enters it, or of the `with` of its stack. Null for other calls.
 */
export function blockEnd(call: SyntaxNode, python: PythonText): number | null {
  const {text} = python;
  const block = blockOf(call) ?? blockOfStack(call, text) ?? blockOfVariable(call, python);
  return block && lastVisible(text, block.from, block.to);
}

/** Returns the statement for which a call opens a range; null for a call in its body. */
function blockOf(call: SyntaxNode): SyntaxNode | null {
  for (let node: SyntaxNode | null = call; node; node = node.parent) {
    if (node.name === 'Body') return null;
    if (node.name === 'WithStatement' || node.name === 'DecoratedStatement') return node;
  }
  return null;
}

/** For `stack.enter_context(call)`: the `with` that binds `stack`. */
function blockOfStack(call: SyntaxNode, text: string): SyntaxNode | null {
  const outer = call.parent?.name === 'ArgList' ? call.parent.parent : null;
  const callee = outer?.firstChild;
  const stack = callee?.firstChild;
  if (callee?.name !== 'MemberExpression' || !stack) return null;
  if (!/\.\s*(enter_context|enter_async_context)$/.test(text.slice(callee.from, callee.to))) return null;
  const name = text.slice(stack.from, stack.to);
  for (let node: SyntaxNode | null = call.parent; node; node = node.parent) {
    if (node.name === 'WithStatement' && binds(node, name, text)) return node;
  }
  return null;
}

function binds(statement: SyntaxNode, name: string, text: string): boolean {
  return childrenOf(statement).some(
    child => child.prevSibling?.name === 'as' && text.slice(child.from, child.to) === name,
  );
}

/** For `scope = call` … `with scope:` in the same function. */
function blockOfVariable(call: SyntaxNode, {text, variableBlocks}: PythonText): SyntaxNode | null {
  const target = holderOf(call);
  if (!target) return null;
  const place = functionAround(call)?.from ?? -1;
  const blocks = variableBlocks.of(text.slice(target.from, target.to));
  return blocks.find(({from, scope}) => from > call.to && scope === place)?.node ?? null;
}

/** Returns what a call, or a conditional expression with it, is assigned to. */
function holderOf(call: SyntaxNode): SyntaxNode | null {
  let value = call;
  while (value.parent && wrappers.has(value.parent.name)) value = value.parent;
  const target = value.parent?.name === 'AssignStatement' ? value.parent.firstChild : null;
  return target?.nextSibling?.name === 'AssignOp' ? target : null;
}

const wrappers = new Set(['ConditionalExpression', 'ParenthesizedExpression']);
