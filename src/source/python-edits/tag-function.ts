import type {SyntaxNode} from '@lezer/common';
import type {TagKind} from '../../core/source/tag-kind.js';
import type {ParsedText} from '../parsed-text.js';
import {pythonTags} from '../python-tags.js';
import {definedName} from '../python/definitions.js';
import {childrenOf, closest} from '../syntax.js';
import {indentAt, lineBreak, lineStart} from './lines.js';
import {functionTagName} from './propose-name.js';
import {statementsIn} from './statements.js';
import {pythonString, tagSpelling} from './tag-spelling.js';
import {wrapStatements, type TagEdit} from './wrap-selection.js';

/**
 * Tags the function whose header is at an offset: with a decorator, or with a block inside if the function may run
 * again while it runs (coroutines, recursion), because a decorating `record_function` is a single object. Null for a
 * function that is tagged already, and for generators, whose ranges would not nest.
 */
export function tagFunction(parsed: ParsedText, offset: number, kind: TagKind): TagEdit | null {
  const definition = definitionAt(parsed, offset);
  return definition && !isTagged(parsed, definition) ? tagDefinition(parsed, definition, kind) : null;
}

/** Returns the function definition whose header or decorators are at an offset. */
function definitionAt({text, tree}: ParsedText, offset: number): SyntaxNode | null {
  const start = lineStart(text, offset) + indentAt(text, offset).length;
  const at = closest(
    tree.resolveInner(Math.max(offset, start), 1),
    new Set(['FunctionDefinition', 'DecoratedStatement']),
  );
  const definition = at?.name === 'DecoratedStatement' ? at.getChild('FunctionDefinition') : at;
  const body = definition?.getChild('Body');
  return definition && body && offset <= body.from ? definition : null;
}

/** Returns whether a decorator or a block opens a range for a whole function. */
export function isTagged(parsed: ParsedText, definition: SyntaxNode): boolean {
  const whole = definition.parent?.name === 'DecoratedStatement' ? definition.parent : definition;
  const body = definition.getChild('Body');
  const first = body && childrenOf(body).find(({name}) => name.endsWith('Statement') && name !== 'ExpressionStatement');
  const block = first?.name === 'WithStatement' ? first.getChild('Body') : null;
  return pythonTags(parsed).some(
    ({offset}) =>
      (offset >= whole.from && offset < definition.from) ||
      (first && block && offset >= first.from && offset < block.from),
  );
}

/** @see tagFunction */
export function tagDefinition(parsed: ParsedText, definition: SyntaxNode, kind: TagKind): TagEdit | null {
  const {text} = parsed;
  const name = functionTagName(definition, text);
  if (hasOwn(definition, new Set(['YieldExpression', 'YieldStatement']))) return null;
  const body = definition.getChild('Body');
  if (!body) return null;
  if (definition.getChild('async') || callsItself(definition, text)) {
    const statements = statementsIn(parsed, body.from + 1, body.to);
    return statements && wrapStatements(parsed, statements, kind, name);
  }
  const start = lineStart(text, definition.from);
  const {callee, missingImport} = tagSpelling(parsed, kind, start);
  const line = `${indentAt(text, definition.from)}@${callee}(${pythonString(name)})${lineBreak(text)}`;
  return {name, replacements: [missingImport, {from: start, to: start, text: line}].filter(one => one !== null)};
}

/** Returns whether a function contains a node of these types, not counting functions inside it. */
function hasOwn(definition: SyntaxNode, names: ReadonlySet<string>): boolean {
  let found = false;
  definition
    .getChild('Body')
    ?.cursor()
    .iterate(({name}) => {
      found ||= names.has(name);
      return !found && name !== 'FunctionDefinition' && name !== 'LambdaExpression' && name !== 'ClassDefinition';
    });
  return found;
}

function callsItself(definition: SyntaxNode, text: string): boolean {
  const name = definedName(definition, text);
  let found = false;
  definition
    .getChild('Body')
    ?.cursor()
    .iterate(({name: kind, node}) => {
      const callee = kind === 'CallExpression' ? node.firstChild : null;
      found ||= callee !== null && text.slice(callee.from, callee.to).replace(/^(self|cls)\./, '') === name;
      return !found;
    });
  return found;
}
