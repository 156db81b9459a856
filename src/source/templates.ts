import {joinPatterns, type NamePattern} from '../core/names/name-pattern.js';

/** Returns the names of a `str.format` or `std::format` template: a replacement field may become any text. */
export function formatTemplate(template: string): NamePattern {
  const mark = /\{\{|\}\}|\{(?:[^{}]|\{[^{}]*\})*\}/g;
  return between(template, mark, found => (found === '{{' || found === '}}' ? found.charAt(0) : null));
}

/** Returns the names of a `%` or `printf` template. */
export function percentTemplate(template: string): NamePattern {
  const conversion =
    /%(?:\([^()]{0,200}\))?[#0\- +]*(?:\*|\d+)?(?:\.(?:\*|\d+)?)?(?:hh|ll|[hlLzjt])?[diouxXeEfFgGcrsap%]/g;
  return between(template, conversion, found => (found === '%%' ? '%' : null));
}

/** Returns the texts between the matches of `marks`; a mark that represents a text becomes that text. */
function between(template: string, marks: RegExp, textOf: (found: string) => string | null): NamePattern {
  const parts: NamePattern[] = [];
  let from = 0;
  for (const match of template.matchAll(marks)) {
    const text = textOf(match[0]);
    parts.push([template.slice(from, match.index)], text === null ? ['', ''] : [text]);
    from = match.index + match[0].length;
  }
  return joinPatterns([...parts, [template.slice(from)]]);
}
