import type {SyntaxNode} from '@lezer/common';
import {LineIndex} from '../line-index.js';
import type {ParsedText} from '../parsed-text.js';
import {closest} from '../syntax.js';
import {CppBindings} from './bindings.js';
import {cppMacros, type CppMacros} from './macros.js';

/** What is known of a C++ or CUDA text while tags are looked for. */
export interface CppText extends ParsedText {
  readonly lines: LineIndex;
  readonly bindings: CppBindings;
  readonly macros: CppMacros;
}

export function cppText(parsed: ParsedText): CppText {
  return {
    ...parsed,
    lines: new LineIndex(parsed.text),
    bindings: new CppBindings(parsed.tree, parsed.text),
    macros: cppMacros(parsed.text),
  };
}

const functions = new Set(['FunctionDefinition', 'LambdaExpression']);

/** The function or lambda that a node stands in; null outside of all. */
export function functionAround(node: SyntaxNode): SyntaxNode | null {
  return closest(node, functions);
}

/** What `__func__` is in a function: its name alone, without class, namespace and template arguments. */
export function functionName(definition: SyntaxNode, text: string): string {
  if (definition.name === 'LambdaExpression') return 'operator()';
  let declarator = definition.firstChild;
  while (declarator && declarator.name !== 'FunctionDeclarator') {
    declarator = declarator.getChild('FunctionDeclarator') ?? declarator.nextSibling;
  }
  const name = declarator?.firstChild;
  return name ? lastSegment(text.slice(name.from, name.to)) : '';
}

/** `nvtx3::scoped_range_in<D>` without what stands before its last name, and without template arguments. */
export function lastSegment(name: string): string {
  let plain = name.replace(/\s+/g, '');
  const [open, close] = [plain.indexOf('<'), plain.lastIndexOf('>')];
  if (open >= 0 && close > open && !plain.includes('operator')) plain = plain.slice(0, open) + plain.slice(close + 1);
  return plain.slice(plain.lastIndexOf('::') + (plain.includes('::') ? 2 : 1));
}
