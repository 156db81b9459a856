import type {SyntaxNode} from '@lezer/common';
import type {Replacement} from '../../core/source/replacement.js';
import type {ParsedText} from '../parsed-text.js';

/** Returns where the line of an offset begins. */
export function lineStart(text: string, offset: number): number {
  return text.lastIndexOf('\n', offset - 1) + 1;
}

/** Returns where the text of an offset's line ends, before its line break. */
export function lineEnd(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  if (end < 0) return text.length;
  return end > 0 && text.charAt(end - 1) === '\r' && end > offset ? end - 1 : end;
}

/** Returns where the line after an offset's begins; the end of the text if there is none. */
export function nextLine(text: string, offset: number): number {
  const end = text.indexOf('\n', offset);
  return end < 0 ? text.length : end + 1;
}

/** Returns the white space at a line's beginning. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t\f]*/.exec(text.slice(lineStart(text, offset), lineEnd(text, offset)))?.[0] ?? '';
}

/** Returns the line break that a text uses. */
export function lineBreak(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n';
}

/** Returns one level of indentation: that of the first block of the text, else four spaces. */
export function indentUnit({text, tree}: ParsedText): string {
  const units: string[] = [];
  tree.iterate({
    enter({name, node}) {
      const first = name === 'Body' ? node.firstChild?.nextSibling : null;
      if (!first || !node.parent || lineStart(text, first.from) === lineStart(text, node.from))
        return units.length === 0;
      const outer = indentAt(text, node.parent.from);
      const inner = indentAt(text, first.from);
      if (inner.startsWith(outer) && inner.length > outer.length) units.push(inner.slice(outer.length));
      return units.length === 0;
    },
  });
  return units[0] ?? '    ';
}

/** Replaces the indentation `before` of the lines of `[from, to)` by `after`, except in empty lines and in strings. */
export function reindent(
  {text, tree}: ParsedText,
  from: number,
  to: number,
  before: string,
  after: string,
): Replacement[] {
  const made: Replacement[] = [];
  for (let line = lineStart(text, from); line < to; line = nextLine(text, line)) {
    const end = lineEnd(text, line);
    if (text.slice(line, end).trim() !== '' && !isInString(tree.resolveInner(line, 0), line)) {
      made.push(shifted(text, line, before, after));
    }
    if (nextLine(text, line) <= line) break;
  }
  return made.filter(({from: start, to: end, text: inserted}) => end > start || inserted !== '');
}

/** Continuation lines and comments may have less indentation: they are moved as far as possible. */
function shifted(text: string, line: number, before: string, after: string): Replacement {
  const indent = indentAt(text, line);
  if (indent.startsWith(before)) return {from: line, to: line + before.length, text: after};
  if (after.startsWith(before)) return {from: line, to: line, text: after.slice(before.length)};
  const removed = Math.min(indent.length, before.length - after.length);
  return {from: line, to: line + Math.max(0, removed), text: ''};
}

const strings = new Set(['String', 'FormatString', 'FormatReplacement', 'FormatSpec']);

/** Returns whether an offset is inside a string, where white space is part of its value. */
function isInString(innermost: SyntaxNode, offset: number): boolean {
  for (let node: SyntaxNode | null = innermost; node; node = node.parent) {
    if (strings.has(node.name) && node.from < offset && offset < node.to) return true;
  }
  return false;
}
