/** A parsed demangled name, or template argument. */
export interface TemplatePart {
  /** Without namespaces; for a lambda, the function that contains it. */
  readonly name: string;
  /** The innermost namespace or class around it, '' for none. */
  readonly outer: string;
  /** Template arguments. */
  readonly args: readonly TemplatePart[];
  /** Types of a lambda's parameters, without namespaces; empty for everything else. */
  readonly types: readonly string[];
  /** The number of a lambda within its function, from 1, if nvcc gives it; otherwise 0. */
  readonly lambda: number;
}

/** Nobody reads deeper nesting, and malicious names may be nested without end. */
const deepest = 12;
/** Characters beyond this are ignored. */
const longest = 6000;

/** Parses a demangled name; null if it is not a C++ name, such as a mangled one. */
export function templateParts(name: string): TemplatePart | null {
  if (name.startsWith('_Z') || !/^[\w$~(]/.test(name)) return null;
  return partsOf(name.slice(0, longest), 0);
}

function partsOf(text: string, depth: number): TemplatePart | null {
  const found = qualifiedName(segmentsOf(withoutQualifiers(text)));
  if (found.name === '') return null;
  const args = depth >= deepest || found.args === '' ? [] : splitAt(found.args, ',');
  return {...found, args: args.flatMap(arg => partsOf(arg, depth + 1) ?? [])};
}

/** Combines the parts of a qualified name: the last one that is a name, and a lambda in it. */
function qualifiedName(segments: readonly string[]): Omit<TemplatePart, 'args'> & {readonly args: string} {
  let found = {name: '', outer: '', args: '', types: [] as string[], lambda: 0};
  for (const segment of segments) {
    const taken = /^[{[]lambda\((.*)\)(?:#\d+\}| \(instance (\d+)\)\])/.exec(segment);
    if (taken) {
      const types = splitAt(taken[1], ',').map(lastName).filter(Boolean);
      found = {...found, types, lambda: Number(taken.at(2) ?? 0)};
      continue;
    }
    const [whole, name = ''] = /^&?([A-Za-z_$~][\w$~ ]*|-?\d+\w*)/.exec(segment) ?? [''];
    if (name === '' || /^(?:operator|const)\b/.test(name)) continue;
    const behind = segment.slice(whole.length);
    const args = behind.startsWith('<') ? insideBrackets(behind) : '';
    found = {name: name.trim(), outer: found.name, args, types: [], lambda: 0};
  }
  return found;
}

/** Removes qualifiers around a type or before a name: const, pointers, a cast of a constant, a return type. */
function withoutQualifiers(text: string): string {
  const bare = text
    .trim()
    .replace(/^\([\w: ]+\)(?=-?\d)/, '')
    .replace(/\s*(?:\bconst\b|[&*]|\s)+$/, '');
  const pieces = splitAt(bare, ' ').filter(piece => piece !== 'const');
  if (pieces.length < 2 || /^(?:unsigned|signed|long|short)$/.test(pieces[0])) return pieces.join(' ');
  // A return type comes before a name; a lambda’s "operator()() const" continues after a blank.
  return /[{[]lambda/.test(bare) ? bare : (pieces.at(-1) ?? bare);
}

/** Returns the parts of a qualified name. */
function segmentsOf(text: string): string[] {
  return splitAt(text, '::').map(segment => segment.trim());
}

/** Splits at separators outside all brackets. */
function splitAt(text: string, separator: ',' | '::' | ' '): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if ('<({['.includes(letter)) depth++;
    else if ((letter === '>' && text[at - 1] !== '-') || ')}]'.includes(letter)) depth = Math.max(0, depth - 1);
    else if (depth === 0 && text.startsWith(separator, at)) {
      parts.push(text.slice(from, at));
      at += separator.length - 1;
      from = at + 1;
    }
  }
  parts.push(text.slice(from));
  return parts;
}

/** Returns the contents of the brackets at the beginning of a text; if they never close, all the rest. */
function insideBrackets(text: string): string {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const letter = text[at];
    if ('<({['.includes(letter)) depth++;
    else if ((letter === '>' && text[at - 1] !== '-') || ')}]'.includes(letter)) depth--;
    if (depth === 0) return text.slice(1, at);
  }
  return text.slice(1);
}

/** Returns a type's own name. */
const lastName = (type: string): string => segmentsOf(withoutQualifiers(type)).at(-1) ?? '';
