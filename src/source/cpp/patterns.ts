import type {SyntaxNode} from '@lezer/common';
import {anyName, hasText, joinPatterns, type NamePattern} from '../../core/names/name-pattern.js';
import {formatTemplate, percentTemplate} from '../templates.js';
import {childrenOf} from '../syntax.js';
import {functionAround, functionName, lastSegment, type CppText} from './cpp-text.js';
import {cppLiteral} from './strings.js';

/** Nested expressions are followed to this depth. */
const deepest = 30;

/** Returns the names that an expression can have as its value; null if the text does not determine them. */
export function cppPatternOf(expression: SyntaxNode | null, cpp: CppText): NamePattern | null {
  const pattern = expression ? namesOf(expression, cpp, 0) : anyName;
  return hasText(pattern) ? pattern : null;
}

type Inner = (child: SyntaxNode | null | undefined) => NamePattern;

function namesOf(node: SyntaxNode, cpp: CppText, depth: number): NamePattern {
  if (depth > deepest) return anyName;
  const inner: Inner = child => (child ? namesOf(child, cpp, depth + 1) : anyName);
  const source = cpp.text.slice(node.from, node.to);
  if (firstCounts.has(node.name)) return inner(partsOf(node)[0]);
  if (lastCounts.has(node.name)) return inner(node.lastChild);
  switch (node.name) {
    case 'String':
    case 'RawString':
      return exactly(cppLiteral(source));
    case 'ConcatenatedString':
      return joinPatterns(childrenOf(node).map(inner));
    case 'BinaryExpression':
      return binary(node, cpp, inner);
    case 'CallExpression':
      return call(node, cpp, inner);
    case 'Identifier':
    case 'FieldExpression':
    case 'ScopedIdentifier':
      return named(node, source, cpp, inner);
    default:
      return anyName;
  }
}

/** Expressions whose value is that of their last or first part. */
const lastCounts = new Set(['CompoundLiteralExpression', 'PointerExpression']);
const firstCounts = new Set(['ParenthesizedExpression', 'InitializerList', 'ArgumentList', 'UserDefinedLiteral']);

/** Returns the elements of a list or of parentheses, without punctuation. */
export function partsOf(list: SyntaxNode | null): SyntaxNode[] {
  const marks = ['(', ')', '{', '}', ',', 'Comment', 'LineComment', 'BlockComment'];
  return list ? childrenOf(list).filter(({name}) => !marks.includes(name)) : [];
}

function exactly(literal: string | null): NamePattern {
  return literal === null ? anyName : [literal];
}

function binary(node: SyntaxNode, {text}: CppText, inner: Inner): NamePattern {
  const [left, operator, right] = childrenOf(node);
  const isSum = operator && text.slice(operator.from, operator.to) === '+';
  return isSum ? joinPatterns([inner(left), inner(right)]) : anyName;
}

function call(node: SyntaxNode, {text}: CppText, inner: Inner): NamePattern {
  const [callee, list] = childrenOf(node);
  if (!callee || !list) return anyName;
  const word = lastSegment(text.slice(callee.from, callee.to));
  if (callee.name === 'FieldExpression') return /\b(c_str|data|str)$/.test(word) ? inner(callee.firstChild) : anyName;
  const parts = partsOf(list);
  if (/^(w?string|(basic_)?string_view|event_attributes|registered_string|message|move)$/.test(word))
    return inner(parts[0]);
  if (word === 'format') return templated(inner(parts[0]), formatTemplate);
  if (word === 'sprintf' || word === 'StringPrintf' || word === 'StrFormat') {
    return templated(inner(parts[0]), percentTemplate);
  }
  return word === 'StrCat' || word === 'str' ? joinPatterns(parts.map(inner)) : anyName;
}

function templated(template: NamePattern, read: (template: string) => NamePattern): NamePattern {
  return template.length === 1 ? read(template[0] ?? '') : anyName;
}

function named(node: SyntaxNode, source: string, cpp: CppText, inner: Inner): NamePattern {
  if (source === '__func__' || source === '__FUNCTION__') {
    const around = functionAround(node);
    return around ? [functionName(around, cpp.text)] : anyName;
  }
  const binding = cpp.bindings.of(node.name === 'ScopedIdentifier' ? lastSegment(source) : source, node);
  const value = binding?.node;
  if (!value) return anyName;
  if (binding.how === 'define') return exactly(cppLiteral(cpp.text.slice(value.from, value.to).trim()));
  return binding.how === 'printf' ? templated(inner(value), percentTemplate) : inner(value);
}
