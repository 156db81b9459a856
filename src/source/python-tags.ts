import {parser} from '@lezer/python';
import {anyName, hasText, isExactName, type NamePattern} from '../core/names/name-pattern.js';
import type {SourceTag} from '../core/source/source-tag.js';
import {closingLines, type PairedCall} from './pairs.js';
import {parseText, type ParsedText} from './parsed-text.js';
import {childrenOf} from './syntax.js';
import {formatTemplate} from './templates.js';
import {functionAround} from './python/bindings.js';
import {blockEnd} from './python/blocks.js';
import {argumentCount, argumentOf, namesOfCall, type Call} from './python/calls.js';
import {candidateCalls} from './python/candidates.js';
import {functionName} from './python/definitions.js';
import {domainCall, inDomain, messagePattern, type DomainCall} from './python/nvtx-domains.js';
import {patternOf} from './python/patterns.js';
import {pythonText, type PythonText} from './python/python-text.js';
import {anyTagCall, closerOf, openerOf, type Closer, type Opener} from './python/tag-calls.js';

/**
 * Parses a Python text. The parser recovers from errors: an unfinished line does not affect the tags of other lines.
 */
export function parsePython(text: string, before: ParsedText | null = null): ParsedText {
  if (!text.includes('\f')) return parseText(parser, text, before);
  return {
    ...parseText(
      parser,
      text.replace(leadingFormFeeds, lead => '\n'.repeat(lead.length)),
    ),
    text,
  };
}

/** Python counts a line's indentation from the last form feed; the parser would read one as a statement. */
const leadingFormFeeds = /^[ \t\f]*\f/gm;

/** Returns whether a text can contain tags at all: most files of a workspace need not be parsed. */
export function mayHavePythonTags(text: string): boolean {
  return anyTagCall.test(text);
}

/** Returns the places of a Python text that open a tagged range, in the order of the text. */
export function findPythonTags(text: string): readonly SourceTag[] {
  return mayHavePythonTags(text) ? pythonTags(parsePython(text)) : [];
}

/** Features that offer changes request the tags of the same text many times. */
const found = new WeakMap<ParsedText, readonly SourceTag[]>();

/** Returns the tags of a parsed text. */
export function pythonTags(parsed: ParsedText): readonly SourceTag[] {
  let tags = found.get(parsed);
  if (!tags) found.set(parsed, (tags = mayHavePythonTags(parsed.text) ? readTags(parsed) : []));
  return tags;
}

function readTags(parsed: ParsedText): SourceTag[] {
  const python = pythonText(parsed);
  const tags: SourceTag[] = [];
  const paired: PairedCall[] = [];
  for (const call of candidateCalls(parsed.tree, parsed.text, python.imports)) visit(call, python, tags, paired);
  const ends = closingLines(paired);
  return tags.map((tag, at) => ({...tag, endLine: ends.get(at) ?? tag.endLine}));
}

function visit(call: Call, python: PythonText, tags: SourceTag[], paired: PairedCall[]): void {
  const {opener, closer, ofDomain} = meaningOf(call, python);
  if (closer) paired.push(pairedCall(call, closer, null, ofDomain, python));
  if (!opener || !canOpen(call, opener)) return;
  if (opener.style !== 'block') paired.push(pairedCall(call, opener, tags.length, ofDomain, python));
  const line = python.lines.lineAt(call.from);
  const end = opener.style === 'block' ? blockEnd(call.node, python) : null;
  const endLine = end === null ? line : python.lines.lineAt(end);
  tags.push({api: opener.api, pattern: namePattern(call, opener, ofDomain, python), line, endLine, offset: call.from});
}

interface Meaning {
  readonly opener: Opener | null;
  readonly closer: Closer | null;
  readonly ofDomain: DomainCall | null;
}

function meaningOf(call: Call, python: PythonText): Meaning {
  const names = namesOfCall(call, python);
  const [opener, closer] = [openerOf(names), closerOf(names)];
  if (opener || closer) return {opener, closer, ofDomain: null};
  const ofDomain = domainCall(call, python);
  return {opener: ofDomain?.opener ?? null, closer: ofDomain?.closer ?? null, ofDomain};
}

/** A decorator can only open blocks; without arguments, only if the function provides the name. */
function canOpen({isDecorator, list}: Call, {style, decoratorName}: Opener): boolean {
  if (isDecorator && style !== 'block') return false;
  return list !== null || decoratorName === '__qualname__';
}

/** Returns the name of a call's range; null if the text does not determine it. */
function namePattern(call: Call, opener: Opener, ofDomain: DomainCall | null, python: PythonText): NamePattern | null {
  if (opener.nameKeywords === null) return null;
  const argument = argumentOf(call.list, 0, opener.nameKeywords, python);
  const ofCall = opener.family === 'nvtx' ? messagePattern(argument, python) : patternOf(argument, python);
  const given = !argument && call.isDecorator ? decoratedName(call, opener, python) : ofCall;
  const name = given && opener.formats ? formatted(given, call) : given;
  return name && inDomain(name, ofDomain ? ofDomain.domain : domainOf(call, opener, python));
}

/** `torch.cuda.nvtx.range` always formats its message with the other arguments, even if there are none. */
function formatted(message: NamePattern, call: Call): NamePattern | null {
  if (!isExactName(message)) return message;
  const template = formatTemplate(message[0] ?? '');
  return argumentCount(call.list) > 1 || isExactName(template) ? (hasText(template) ? template : null) : message;
}

function decoratedName({node}: Call, {decoratorName}: Opener, {text}: PythonText): NamePattern | null {
  const definition = node.parent?.getChild('FunctionDefinition');
  return definition && decoratorName ? [functionName(definition, decoratorName, text)] : null;
}

function domainOf({list}: Call, {domainPosition}: Opener, python: PythonText): NamePattern | null {
  if (domainPosition === undefined) return null;
  const argument = argumentOf(list, domainPosition, ['domain'], python);
  if (!argument || argument.name === 'None') return null;
  return patternOf(argument, python) ?? anyName;
}

function pairedCall(
  call: Call,
  {style, family}: Closer | Opener,
  opens: number | null,
  ofDomain: DomainCall | null,
  python: PythonText,
): PairedCall {
  const {text, lines} = python;
  const domain = ofDomain?.domain ?? (family === 'nvtx' ? pushDomain(call, opens !== null, python) : null);
  const place = String(functionAround(call.node)?.from ?? -1);
  const group = `${family} ${domain?.join('…') ?? ''} ${style} ${place}`;
  const line = lines.lineAt(opens === null ? call.node.to : call.from);
  return {group, line, opens, id: style === 'start' ? idOf(call, opens !== null, text) : null};
}

/** `push_range(message, color, domain)` and `pop_range(domain)`. */
function pushDomain(call: Call, opens: boolean, python: PythonText): NamePattern | null {
  const argument = argumentOf(call.list, opens ? 2 : 0, ['domain'], python);
  return argument && argument.name !== 'None' ? patternOf(argument, python) : null;
}

/** Returns the variable that holds a range's id, or that is passed as the id of the range to end. */
function idOf({node, list}: Call, opens: boolean, text: string): string {
  const holder = opens
    ? node.parent?.name === 'AssignStatement'
      ? node.parent.firstChild
      : null
    : list && childrenOf(list)[1];
  return holder ? text.slice(holder.from, holder.to) : '';
}
