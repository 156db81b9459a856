import type {SyntaxNode} from '@lezer/common';
import type {NamePattern} from '../core/source/name-pattern.js';

/** The names that an expression can have as its value; null where the text does not tell. */
export function patternOf(node: SyntaxNode, text: string): NamePattern | null {
  switch (node.name) {
    case 'String': {
      const literal = literalText(text.slice(node.from, node.to));
      return literal === null ? null : [literal];
    }
    case 'FormatString':
      return formatPattern(node, text);
    case 'ContinuedString':
      return joinPatterns(children(node).map(part => patternOf(part, text)));
    case 'ParenthesizedExpression':
      return parenthesised(node, text);
    default:
      return null;
  }
}

/** Adjacent literals are one string: the last text of one runs on into the first of the next. */
function joinPatterns(patterns: (NamePattern | null)[]): NamePattern | null {
  const joined: string[] = [''];
  for (const pattern of patterns) {
    if (pattern === null) return null;
    joined.push((joined.pop() ?? '') + (pattern[0] ?? ''), ...pattern.slice(1));
  }
  return joined;
}

function parenthesised(node: SyntaxNode, text: string): NamePattern | null {
  const inner = children(node).filter(({name}) => name !== '(' && name !== ')' && name !== 'Comment');
  return inner.length === 1 && inner[0] ? patternOf(inner[0], text) : null;
}

/** The fixed texts of an f-string, cut at its replacement fields. */
function formatPattern(node: SyntaxNode, text: string): NamePattern | null {
  const {prefix, quote} = opening(text.slice(node.from, node.to));
  const end = node.to - quote.length;
  const pattern: string[] = [];
  let from = node.from + prefix.length + quote.length;
  for (const field of children(node).filter(({name}) => name === 'FormatReplacement')) {
    pattern.push(fixedText(text.slice(from, field.from), prefix));
    from = field.to;
  }
  pattern.push(fixedText(text.slice(from, Math.max(from, end)), prefix));
  return pattern;
}

function fixedText(raw: string, prefix: string): string {
  const single = raw.replaceAll('{{', '{').replaceAll('}}', '}');
  return /r/i.test(prefix) ? single : unescape(single);
}

/** The value of a string literal with its prefix and quotes; null for bytes, which are no names. */
function literalText(source: string): string | null {
  const {prefix, quote} = opening(source);
  if (/b/i.test(prefix)) return null;
  const end = source.endsWith(quote) ? source.length - quote.length : source.length;
  const raw = source.slice(prefix.length + quote.length, end);
  return /r/i.test(prefix) ? raw : unescape(raw);
}

function opening(source: string): {prefix: string; quote: string} {
  const match = /^([a-z]*)('''|"""|'|")/i.exec(source);
  return {prefix: match?.[1] ?? '', quote: match?.[2] ?? ''};
}

const simpleEscapes: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
};

/** Python's escapes; one that Python does not know keeps its backslash, as there. */
function unescape(raw: string): string {
  return raw.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|([^]))/g,
    (whole, hex?: string, unicode?: string, letter?: string) => {
      const code = hex ?? unicode;
      if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
      if (letter === '\\' || letter === "'" || letter === '"') return letter;
      return simpleEscapes[letter ?? ''] ?? whole;
    },
  );
}

function children(node: SyntaxNode): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) found.push(child);
  return found;
}
