import type {SyntaxNode} from '@lezer/common';
import {LineIndex} from '../line-index.js';
import type {ParsedText} from '../parsed-text.js';
import {closest} from '../syntax.js';
import {CppBindings} from './bindings.js';
import {cppMacros, type CppMacros} from './macros.js';

/** The data on a C++ or CUDA text during a search for tags. */
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

/** Returns the function or lambda that contains a node; null for none. */
export function functionAround(node: SyntaxNode): SyntaxNode | null {
  return closest(node, functions);
}

/** Returns the value of `__func__` in a function: its name only, without class, namespace and template arguments. */
export function functionName(definition: SyntaxNode, text: string): string {
  if (definition.name === 'LambdaExpression') return 'operator()';
  let declarator = definition.firstChild;
  while (declarator && declarator.name !== 'FunctionDeclarator') {
    declarator = declarator.getChild('FunctionDeclarator') ?? declarator.nextSibling;
  }
  const name = declarator?.firstChild;
  return name ? lastSegment(text.slice(name.from, name.to)) : '';
}

/** Returns the last name of `nvtx3::scoped_range_in<D>`, without qualifiers and template arguments. */
export function lastSegment(name: string): string {
  let plain = name.replace(/\s+/g, '');
  const [open, close] = [plain.indexOf('<'), plain.lastIndexOf('>')];
  if (open >= 0 && close > open && !plain.includes('operator')) plain = plain.slice(0, open) + plain.slice(close + 1);
  return plain.slice(plain.lastIndexOf('::') + (plain.includes('::') ? 2 : 1));
}
