import type {SyntaxNode} from '@lezer/common';
import type {SourceTag} from '../core/source/source-tag.js';
import {cppTags} from './cpp-tags.js';
import {cppLiteral} from './cpp/strings.js';
import type {ParsedText} from './parsed-text.js';
import type {NamePlace} from './python-completion.js';
import {closest} from './syntax.js';

const openers = new Set(['CallExpression', 'Declaration']);

/** Returns the string at an offset of a C++ text if it is the name of a tag; else null. */
export function cppTagNameAt(parsed: ParsedText, offset: number): NamePlace | null {
  const literal = closest(parsed.tree.resolveInner(offset, -1), new Set(['String']));
  if (!literal) return null;
  const source = parsed.text.slice(literal.from, literal.to);
  const prefix = /^[^"]*/.exec(source)?.[0].length ?? 0;
  const from = literal.from + prefix + 1;
  const to = source.length > prefix + 1 && source.endsWith('"') ? literal.to - 1 : literal.to;
  if (offset < from || offset > to) return null;
  const tag = tagOf(literal, parsed);
  // A name that is still empty is not a pattern.
  const isName = tag && (tag.pattern === null || tag.pattern.join('…') === cppLiteral(source));
  return isName ? {from, to} : null;
}

/** Returns the tag whose name is a literal, either directly or as the message of attributes. */
function tagOf(literal: SyntaxNode, parsed: ParsedText): SourceTag | null {
  let node = closest(literal, openers);
  const wrapper = node?.name === 'CallExpression' ? node.firstChild : null;
  if (
    wrapper &&
    /\b(?:event_attributes|message|registered_string)\b[^:]*$/.test(parsed.text.slice(wrapper.from, wrapper.to))
  )
    node = closest(node?.parent ?? null, openers);
  return cppTags(parsed).find(({offset}) => offset === node?.from) ?? null;
}
