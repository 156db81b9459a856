/** A demangled name, or an argument of a template, taken apart. */
export interface TemplatePart {
  /** Without namespaces; of a lambda the function that it stands in. */
  readonly name: string;
  /** The namespace or class right around it, '' for none. */
  readonly outer: string;
  /** Template arguments. */
  readonly args: readonly TemplatePart[];
  /** Types that a lambda takes, without namespaces; empty for everything else. */
  readonly types: readonly string[];
  /** Which of several lambdas of a function it is, from 1, where nvcc says so; 0 where it does not. */
  readonly lambda: number;
}

/** Nobody reads what is nested deeper, and hostile names may be nested without end. */
const deepest = 12;
/** What is behind this is not looked at. */
const longest = 6000;

/** Takes a demangled name apart; null for one that is no name of C++, such as a mangled one. */
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

/** What the parts of a qualified name say together: the last one that is a name, and a lambda in it. */
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

/** Without what stands around a type or before a name: const, pointers, a cast of a constant, a return type. */
function withoutQualifiers(text: string): string {
  const bare = text
    .trim()
    .replace(/^\([\w: ]+\)(?=-?\d)/, '')
    .replace(/\s*(?:\bconst\b|[&*]|\s)+$/, '');
  const pieces = splitAt(bare, ' ').filter(piece => piece !== 'const');
  if (pieces.length < 2 || /^(?:unsigned|signed|long|short)$/.test(pieces[0])) return pieces.join(' ');
  // A return type stands before a name; a lambda’s "operator()() const" goes on behind a blank.
  return /[{[]lambda/.test(bare) ? bare : (pieces.at(-1) ?? bare);
}

/** Parts of a qualified name. */
function segmentsOf(text: string): string[] {
  return splitAt(text, '::').map(segment => segment.trim());
}

/** Splits where a separator stands outside of all brackets. */
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

/** What is inside the brackets that a text begins with; of brackets that never close all of it. */
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

/** A type's own name. */
const lastName = (type: string): string => segmentsOf(withoutQualifiers(type)).at(-1) ?? '';
