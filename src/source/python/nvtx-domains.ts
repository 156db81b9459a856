import type {SyntaxNode} from '@lezer/common';
import {anyName, joinPatterns, type NamePattern} from '../../core/names/name-pattern.js';
import {childrenOf} from '../syntax.js';
import {argumentOf, callAt, namesOfCall, type Call} from './calls.js';
import {patternOf} from './patterns.js';
import type {PythonText} from './python-text.js';
import {closerOf, openerOf, type Closer, type Opener} from './tag-calls.js';

/** A method call on an NVTX domain: `nvtx.get_domain("a").push_range(…)`. */
export interface DomainCall {
  readonly opener: Opener | null;
  readonly closer: Closer | null;
  readonly domain: NamePattern;
}

/** Returns the call of a domain's method; null for other calls. */
export function domainCall(call: Call, python: PythonText): DomainCall | null {
  const callee = call.isDecorator ? null : call.node.firstChild;
  const method = callee?.name === 'MemberExpression' ? callee.getChild('PropertyName') : null;
  const object = callee?.firstChild;
  if (!method || !object) return null;
  const word = python.text.slice(method.from, method.to);
  if (!/^(push|pop|start|end)_range$/.test(word)) return null;
  const made = callNamed(object, 'get_domain', python);
  if (!made) return null;
  const domain = patternOf(argumentOf(made.list, 0, ['name'], python), python) ?? anyName;
  return {opener: openerOf([`nvtx.${word}`]), closer: closerOf([`nvtx.${word}`]), domain};
}

/** Returns the name in a message: a string, or attributes or a registered string of a domain. */
export function messagePattern(argument: SyntaxNode | null, python: PythonText): NamePattern | null {
  let message = argument;
  for (const maker of ['get_event_attributes', 'get_registered_string']) {
    const made = message && callNamed(message, maker, python);
    if (made) message = argumentOf(made.list, 0, ['message', 'string'], python);
  }
  return patternOf(message, python);
}

/** Returns the name of a range in a domain as traces spell it. */
export function inDomain(name: NamePattern, domain: NamePattern | null): NamePattern {
  return domain ? joinPatterns([domain, [':'], name]) : name;
}

/** Returns the call of a function or method `name` in an expression, directly or through a variable. */
function callNamed(expression: SyntaxNode, name: string, python: PythonText): Call | null {
  const value = expression.name === 'CallExpression' ? expression : python.bindings.valueOf(expression);
  const call = value?.name === 'CallExpression' ? callAt(value) : null;
  if (!call) return null;
  const member = value?.firstChild?.name === 'MemberExpression' ? childrenOf(value.firstChild).at(-1) : null;
  const isNamed = member
    ? python.text.slice(member.from, member.to) === name
    : namesOfCall(call, python).some(dotted => dotted.endsWith(`.${name}`));
  return isNamed ? call : null;
}
