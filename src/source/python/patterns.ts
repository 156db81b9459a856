import type {SyntaxNode} from '@lezer/common';
import {anyName, hasText, isExactName, joinPatterns, type NamePattern} from '../../core/names/name-pattern.js';
import {childrenOf} from '../syntax.js';
import {formatTemplate, percentTemplate} from '../templates.js';
import type {PythonText} from './python-text.js';
import {literalText, openingOf, valueOf} from './strings.js';

/** Nested expressions are followed to this depth, which only malicious texts exceed. */
const deepest = 30;

/** Returns the names that an expression can have as its value; null if the text does not determine them. */
export function patternOf(expression: SyntaxNode | null, python: PythonText): NamePattern | null {
  const pattern = expression ? namesOf(expression, python, 0) : anyName;
  return hasText(pattern) ? pattern : null;
}

function namesOf(node: SyntaxNode, python: PythonText, depth: number): NamePattern {
  if (depth > deepest) return anyName;
  const inner = (child: SyntaxNode | null | undefined) => (child ? namesOf(child, python, depth + 1) : anyName);
  switch (node.name) {
    case 'String': {
      const literal = literalText(python.text.slice(node.from, node.to));
      return literal === null ? anyName : [literal];
    }
    case 'FormatString':
      return formatString(node, python, inner);
    case 'ContinuedString':
      return joinPatterns(childrenOf(node).map(inner));
    case 'ParenthesizedExpression':
      return inner(onlyChild(node));
    case 'NamedExpression':
      return inner(node.lastChild);
    case 'BinaryExpression':
      return binary(node, python, inner);
    case 'CallExpression':
      return call(node, python, inner);
    case 'VariableName':
    case 'MemberExpression':
      return inner(constant(node, python));
    default:
      return anyName;
  }
}

type Inner = (child: SyntaxNode | null | undefined) => NamePattern;

/** Returns the expression of a constant; for a member of an enumeration also through its `.value`. */
function constant(node: SyntaxNode, python: PythonText): SyntaxNode | null {
  const value = python.bindings.valueOf(node);
  if (value || node.name !== 'MemberExpression') return value;
  const property = node.getChild('PropertyName');
  const isValue = property !== null && python.text.slice(property.from, property.to) === 'value';
  return isValue && node.firstChild ? python.bindings.valueOf(node.firstChild) : null;
}

function onlyChild(node: SyntaxNode): SyntaxNode | null {
  const inner = childrenOf(node).filter(({name}) => name !== '(' && name !== ')' && name !== 'Comment');
  return inner.length === 1 ? (inner[0] ?? null) : null;
}

/** Returns the fixed texts of an f-string, split at its replacement fields; constant fields are filled in. */
function formatString(node: SyntaxNode, {text}: PythonText, inner: Inner): NamePattern {
  const {prefix, quote} = openingOf(text.slice(node.from, node.to));
  const parts: NamePattern[] = [];
  let from = node.from + prefix.length + quote.length;
  for (const field of childrenOf(node).filter(({name}) => name === 'FormatReplacement')) {
    const [, expression, closing] = childrenOf(field);
    // A conversion or a format changes the text.
    parts.push(fixed(text.slice(from, field.from), prefix), closing?.name === '}' ? inner(expression) : anyName);
    from = field.to;
  }
  const isClosed = node.to - from >= quote.length && text.slice(from, node.to).endsWith(quote);
  parts.push(fixed(text.slice(from, isClosed ? node.to - quote.length : node.to), prefix));
  return joinPatterns(parts);
}

function fixed(raw: string, prefix: string): NamePattern {
  return [valueOf(raw.replaceAll('{{', '{').replaceAll('}}', '}'), prefix)];
}

function binary(node: SyntaxNode, {text}: PythonText, inner: Inner): NamePattern {
  const [left, operator, right] = childrenOf(node);
  const sign = operator ? text.slice(operator.from, operator.to) : '';
  if (sign === '+') return joinPatterns([inner(left), inner(right)]);
  if (sign !== '%') return anyName;
  const template = inner(left);
  return isExactName(template)
    ? percentTemplate(template[0] ?? '')
    : joinPatterns(template.map(percentTemplate).flatMap(separated));
}

/** Returns the pattern of `"…".format(…)`, and of `str(…)` with a known argument. */
function call(node: SyntaxNode, {text}: PythonText, inner: Inner): NamePattern {
  const [callee, list] = childrenOf(node);
  if (callee?.name === 'VariableName' && text.slice(callee.from, callee.to) === 'str') {
    return inner(list && onlyChild(list));
  }
  const method = callee?.name === 'MemberExpression' ? callee.getChild('PropertyName') : null;
  if (!method || text.slice(method.from, method.to) !== 'format') return anyName;
  const template = inner(callee?.firstChild);
  return isExactName(template)
    ? formatTemplate(template[0] ?? '')
    : joinPatterns(template.map(formatTemplate).flatMap(separated));
}

/** Restores the texts between parts of a pattern that were resolved separately. */
function separated(pattern: NamePattern, at: number): NamePattern[] {
  return at === 0 ? [pattern] : [anyName, pattern];
}
