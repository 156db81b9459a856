import type {SyntaxNode} from '@lezer/common';
import {functionAround} from '../python/bindings.js';
import {dottedName} from '../python/imports.js';
import {definedName} from '../python/definitions.js';
import {closest} from '../syntax.js';
import type {Statements} from './statements.js';

/** Longer names would fill the timeline. */
const longestName = 60;

/**
 * Returns a name for a tag around statements: the first function that they call, else the function that contains them.
 */
export function proposedName({nodes}: Statements, text: string): string {
  for (const node of nodes) {
    const called = firstCall(node, text);
    if (called !== null) return called;
  }
  const around = nodes[0] ? functionAround(nodes[0]) : null;
  const name = around && definedName(around, text);
  return name !== null && name !== '' ? name : 'block';
}

/** Returns the name of a function's tag: with its class for a method; the class's name for a module's forward. */
export function functionTagName(definition: SyntaxNode, text: string): string {
  const name = definedName(definition, text);
  const owner = closest(definition.parent, new Set(['ClassDefinition', 'FunctionDefinition']));
  if (owner?.name !== 'ClassDefinition') return name;
  const className = definedName(owner, text);
  return name === 'forward' ? className : `${className}.${name}`;
}

/** Returns "model" for `self.model(x)`. Calls that only convert or print are not informative. */
function firstCall(statement: SyntaxNode, text: string): string | null {
  let found: string | null = null;
  statement.cursor().iterate(({name, node}) => {
    if (found !== null || name === 'FunctionDefinition' || name === 'ClassDefinition') return false;
    const callee = name === 'CallExpression' ? node.firstChild : null;
    const called = callee && dottedName(text.slice(callee.from, callee.to))?.replace(/^(self|cls)\./, '');
    if (called && called.length <= longestName && !trifles.has(called)) found = called;
    return true;
  });
  return found;
}

const trifles = new Set([
  'print',
  'len',
  'str',
  'int',
  'float',
  'range',
  'enumerate',
  'zip',
  'list',
  'super',
  'isinstance',
]);
