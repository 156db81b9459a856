import {cppCallOpener, cppCloser, cppTypeOpener, type CppOpener} from './tag-calls.js';

/** A macro of the text itself whose body opens a range. */
export interface OpeningMacro extends CppOpener {
  /** The name if the body contains it; null if the name is an argument, or `__func__`. */
  readonly fixedName: string | null;
  /** Whether the argument's text is the name: `#name`. */
  readonly isStringified: boolean;
}

type CppClosing = NonNullable<ReturnType<typeof cppCloser>>;

/** The macros of a text that open or close ranges, by their names. */
export interface CppMacros {
  readonly opening: ReadonlyMap<string, OpeningMacro>;
  readonly closing: ReadonlyMap<string, CppClosing>;
}

/** A text with more macros is generated. */
const mostMacros = 1000;
const longestBody = 2000;

const definition = /^[ \t]*#[ \t]*define[ \t]+(\w+)(?:\(([^)\n]*)\))?((?:[^\n\\]|\\\r?\n|\\.)*)$/gm;

/**
 * Returns the macros of a text that expand to a call or an object that opens a range, or to a call that closes one,
 * possibly through macros above them. If a macro is defined twice (with `#ifdef`), the definition that does so counts.
 */
export function cppMacros(text: string): CppMacros {
  const opening = new Map<string, OpeningMacro>();
  const closing = new Map<string, CppClosing>();
  for (const {name, parameters, body} of definitionsIn(text)) {
    for (const use of usesIn(body)) {
      const closes = cppCloser(use.word) ?? closing.get(use.word);
      if (closes && !closing.has(name)) closing.set(name, closes);
      const opens = openingMacro(use, parameters, opening);
      if (opens && !opening.has(name)) opening.set(name, opens);
    }
  }
  return {opening, closing};
}

interface Definition {
  readonly name: string;
  readonly parameters: readonly string[];
  readonly body: string;
}

function* definitionsIn(text: string): Generator<Definition> {
  let seen = 0;
  for (const [, name = '', list = '', whole = ''] of text.matchAll(definition)) {
    if (++seen > mostMacros) return;
    const body = whole.replace(/\\\r?\n/g, ' ');
    const parameters = list.split(',').map(parameter => parameter.trim());
    if (body.length <= longestBody) yield {name, parameters, body};
  }
}

interface Use {
  readonly word: string;
  /** Whether it is a type, of which an object is declared. */
  readonly isType: boolean;
  readonly arguments: readonly string[];
}

/** Yields the calls and declarations in a macro's body. */
function* usesIn(body: string): Generator<Use> {
  // A word, template arguments, the name of the declared object, and the list.
  for (const match of body.matchAll(/\b(\w+)(?:<[^<>]*>)?(\s+[\w#]+)?\s*[({]/g)) {
    const [whole, word = '', declared] = match;
    const given = argumentsAt(body, match.index + whole.length);
    yield {word, isType: declared !== undefined, arguments: given};
    // A keyword before a call looks like a type before a variable.
    if (declared !== undefined) yield {word: declared.trim(), isType: false, arguments: given};
  }
}

/** Returns the arguments after an open bracket as written; texts are skipped as a whole. */
function argumentsAt(body: string, from: number): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = from;
  const marks = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[([{]|[)\]}]|,/g;
  marks.lastIndex = from;
  for (let mark = marks.exec(body); mark; mark = marks.exec(body)) {
    const [text] = mark;
    if ('([{'.includes(text)) depth++;
    else if (')]}'.includes(text) && depth-- === 0) return [...parts, body.slice(begin, mark.index).trim()];
    else if (text === ',' && depth === 0) {
      parts.push(body.slice(begin, mark.index).trim());
      begin = mark.index + 1;
    }
  }
  return parts;
}

function openingMacro(
  use: Use,
  parameters: readonly string[],
  above: ReadonlyMap<string, OpeningMacro>,
): OpeningMacro | null {
  const inner = above.get(use.word);
  const known = use.isType ? cppTypeOpener(use.word) : (cppCallOpener(use.word) ?? inner);
  if (!known || isOfDomain(known, use.word)) return null;
  const {api, style, namePosition} = known;
  const fixedName = inner?.fixedName ?? null;
  const named = namePosition === null ? {} : openedName(use.arguments[namePosition] ?? '', parameters);
  const isStringified = inner?.isStringified ?? false;
  return {api, style, namePosition: null, fixedName, isStringified, ...named};
}

/** Returns what the argument of an opener in a macro's body determines of the name. */
function openedName(
  argument: string,
  parameters: readonly string[],
): Partial<Pick<OpeningMacro, 'namePosition' | 'fixedName' | 'isStringified'>> {
  const name = argument.replace(/^\((.*)\)$/, '$1').trim();
  const literal = /^"((?:[^"\\]|\\.)*)"$/.exec(name)?.[1];
  if (literal !== undefined) return {fixedName: literal};
  if (/^__(?:func|FUNCTION)__$/.test(name)) return {};
  const position = parameters.indexOf(name.replace(/^#\s*/, ''));
  // A name that is not a parameter is unknown, so its position matches no argument.
  return {namePosition: position < 0 ? Infinity : position, ...(name.startsWith('#') && {isStringified: true})};
}

/** Domains and attributes are found by the code around a call, which a macro hides. */
function isOfDomain({isAttributes, domainType}: CppOpener, word: string): boolean {
  return isAttributes === true || domainType !== undefined || word.endsWith('_in');
}
