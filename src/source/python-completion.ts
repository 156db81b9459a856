import type {SyntaxNode} from '@lezer/common';
import type {ParsedText} from './parsed-text.js';
import {callAt, namesOfCall} from './python/calls.js';
import {pythonText} from './python/python-text.js';
import {openingOf} from './python/strings.js';
import {openerOf} from './python/tag-calls.js';
import {closest} from './syntax.js';

/** The text of a string literal, between its quotes; offsets in UTF-16 units. */
export interface NamePlace {
  readonly from: number;
  readonly to: number;
}

/** Returns the string at an offset if it is the name of a tag; else null, also for strings with expressions. */
export function tagNameAt(parsed: ParsedText, offset: number): NamePlace | null {
  const literal = closest(parsed.tree.resolveInner(offset, -1), new Set(['String']));
  if (!literal || !isName(literal, parsed)) return null;
  const source = parsed.text.slice(literal.from, literal.to);
  const {prefix, quote} = openingOf(source);
  if (quote.length !== 1 || prefix !== '') return null;
  const from = literal.from + 1;
  const to = source.length > 1 && source.endsWith(quote) ? literal.to - 1 : literal.to;
  return offset >= from && offset <= to ? {from, to} : null;
}

/**
 * Returns whether a literal is the name in a call that opens a range: its first argument, or the keyword argument of
 * the name.
 */
function isName(literal: SyntaxNode, parsed: ParsedText): boolean {
  const list = literal.parent;
  const call = list?.name === 'ArgList' && list.parent && isFirst(literal, parsed.text) ? callAt(list.parent) : null;
  return call ? openerOf(namesOfCall(call, pythonText(parsed))) !== null : false;
}

/** Returns whether an argument is the first one, or the keyword argument of the name. */
function isFirst(argument: SyntaxNode, text: string): boolean {
  const before = argument.prevSibling;
  const keyword = before?.name === 'AssignOp' ? before.prevSibling : null;
  if (keyword) return ['name', 'msg', 'message'].includes(text.slice(keyword.from, keyword.to));
  return before?.name === '(';
}
