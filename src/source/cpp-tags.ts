import type {SyntaxNode} from '@lezer/common';
import {parser} from '@lezer/cpp';
import {anyName, joinPatterns, type NamePattern} from '../core/names/name-pattern.js';
import type {SourceTag} from '../core/source/source-tag.js';
import {cppText, functionAround, functionName, lastSegment, type CppText} from './cpp/cpp-text.js';
import {cppPatternOf, partsOf} from './cpp/patterns.js';
import {TagWords} from './cpp/tag-words.js';
import type {OpeningMacro} from './cpp/macros.js';
import {anyCppTag, cppCallOpener, cppCloser, cppTypeOpener, type CppOpener} from './cpp/tag-calls.js';
import {closingLines, type PairedCall} from './pairs.js';
import {parseText, type ParsedText} from './parsed-text.js';
import {closest} from './syntax.js';

/** Parses a C++ or CUDA text. Kernel launches are not C++; the parser recovers from what it cannot read. */
export function parseCpp(text: string, before: ParsedText | null = null): ParsedText {
  return parseText(parser, text, before);
}

/** Returns whether a text can contain tags at all. */
export function mayHaveCppTags(text: string): boolean {
  return anyCppTag.test(text);
}

/** Returns the places of a C++ or CUDA text that open a range, in the order of the text. */
export function findCppTags(text: string): SourceTag[] {
  return mayHaveCppTags(text) ? cppTags(parseCpp(text)) : [];
}

/** Returns the tags of a parsed text. */
export function cppTags(parsed: ParsedText): SourceTag[] {
  const cpp = cppText(parsed);
  const members = memberRanges(parsed.text);
  const words = new TagWords(parsed.text, [
    ...cpp.macros.opening.keys(),
    ...cpp.macros.closing.keys(),
    ...members.keys(),
  ]);
  const tags: SourceTag[] = [];
  const paired: PairedCall[] = [];
  parsed.tree.iterate({
    enter(at) {
      // Nodes without a word of a tag are not entered, because a node is an object, and a long file has many.
      if (!words.isIn(at.from, at.to)) return false;
      if (at.name === 'CallExpression') visitCall(at.node, cpp, tags, paired);
      else if (at.name === 'Declaration') visitDeclaration(at.node, cpp, tags);
      else if (at.name === 'FieldDeclaration') visitMember(at.node, cpp, tags);
      else if (at.name === 'FieldInitializer') visitInitializer(at.node, members, cpp, tags);
      else if (at.name === 'ExpressionStatement') visitBareMacro(at.node, cpp, tags);
      return true;
    },
  });
  const ends = closingLines(paired);
  return tags.map((tag, at) => ({...tag, endLine: ends.get(at) ?? tag.endLine}));
}

/** A longer callee is a chain of calls, each of which would be read once for each call after it. */
const longestCallee = 1000;

function visitCall(node: SyntaxNode, cpp: CppText, tags: SourceTag[], paired: PairedCall[]): void {
  const callee = node.firstChild;
  const list = node.getChild('ArgumentList');
  if (!callee || !list || callee.to - callee.from > longestCallee) return;
  const type = cpp.text.slice(callee.from, callee.to);
  const use = {node, parts: partsOf(list), type};
  const word = lastSegment(type);
  visitCloser(use, word, cpp, paired);
  visitOpener(use, word, cpp, tags, paired);
}

function visitCloser({node, parts}: Use, word: string, cpp: CppText, paired: PairedCall[]): void {
  const closer = cppCloser(word) ?? cpp.macros.closing.get(word);
  if (!closer) return;
  const id = parts[closer.idPosition];
  paired.push(pairedCall(node, closer.style, null, closer.style === 'start' && id ? slice(id, cpp) : '', cpp));
}

function visitOpener(use: Use, word: string, cpp: CppText, tags: SourceTag[], paired: PairedCall[]): void {
  const known = cppCallOpener(word);
  const macro = known ? undefined : cpp.macros.opening.get(word);
  const opener = known ?? macro;
  if (!opener || (known && !isNvtx3(use.type, known, cpp))) return;
  if (opener.style !== 'scope') {
    const id = opener.style === 'start' ? holderOf(use.node, cpp) : '';
    paired.push(pairedCall(use.node, opener.style, tags.length, id, cpp));
  }
  const pattern = macro ? macroPattern(use, macro, cpp) : namePattern(use, opener, cpp);
  tags.push(tagOf(use.node, opener, pattern, cpp));
}

function macroPattern(use: Use, macro: OpeningMacro, cpp: CppText): NamePattern | null {
  if (macro.fixedName !== null) return [macro.fixedName];
  const argument = macro.namePosition === null ? null : use.parts[macro.namePosition];
  if (macro.isStringified && argument) return [slice(argument, cpp)];
  return namePattern(use, macro, cpp);
}

/** Visits a macro without arguments that opens a range with its function's name, or with its own. */
function visitBareMacro(node: SyntaxNode, cpp: CppText, tags: SourceTag[]): void {
  const word = node.getChild('Identifier');
  const macro = word ? cpp.macros.opening.get(slice(word, cpp)) : undefined;
  if (!word || !macro) return;
  tags.push(tagOf(word, macro, macroPattern({node: word, parts: [], type: ''}, macro, cpp), cpp));
}

/** Visits `nvtx3::scoped_range r{"a"}`, and `auto r = nvtx3::scoped_range{"a"}`. */
function visitDeclaration(node: SyntaxNode, cpp: CppText, tags: SourceTag[]): void {
  const declarator = node.getChild('InitDeclarator');
  const made = ['CompoundLiteralExpression', 'CallExpression'].map(name => declarator?.getChild(name)).find(Boolean);
  const type = typeIn(node) ?? (node.getChild('auto') && made ? made.firstChild : null);
  const source = slice(type, cpp);
  const opener = cppTypeOpener(lastSegment(source));
  if (!opener || !isNvtx3(source, opener, cpp)) return;
  const lists = ['InitializerList', 'ArgumentList'].flatMap(name => (made ?? declarator)?.getChildren(name) ?? []);
  tags.push(tagOf(node, opener, namePattern({node, parts: partsOf(lists[0] ?? null), type: source}, opener, cpp), cpp));
}

/** Visits a member that keeps a range open while its object lives: `nvtx3::scoped_range range_{"a"}`. */
function visitMember(node: SyntaxNode, cpp: CppText, tags: SourceTag[]): void {
  const source = slice(typeIn(node), cpp);
  const opener = cppTypeOpener(lastSegment(source));
  const made = node.getChild('InitializerList') ?? node.getChild('CallExpression')?.getChild('ArgumentList');
  if (!opener || !made || !isNvtx3(source, opener, cpp)) return;
  tags.push(tagOf(node, opener, namePattern({node, parts: partsOf(made), type: source}, opener, cpp), cpp));
}

/** Visits such a member that a constructor initialises: `Timer() : range_("a") {}`. */
function visitInitializer(
  node: SyntaxNode,
  members: ReadonlyMap<string, string>,
  cpp: CppText,
  tags: SourceTag[],
): void {
  const source = members.get(slice(node.getChild('FieldIdentifier'), cpp)) ?? '';
  const opener = cppTypeOpener(lastSegment(source));
  const made = node.getChild('InitializerList') ?? node.getChild('ArgumentList');
  if (!opener || !made || !isNvtx3(source, opener, cpp)) return;
  tags.push(tagOf(node, opener, namePattern({node, parts: partsOf(made), type: source}, opener, cpp), cpp));
}

/** Returns the types of members and variables that are declared without a name for their range. */
function memberRanges(text: string): Map<string, string> {
  const declared =
    /\b((?:[\w]+::)*(?:scoped|thread|unique|domain_thread)_range(?:_in)?(?:<[^<>;{}]{0,200}>)?)\s+(\w+)\s*;/g;
  return new Map(Array.from(text.matchAll(declared), ([, type = '', name = '']) => [name, type]));
}

function typeIn(declaration: SyntaxNode): SyntaxNode | null {
  const names = ['ScopedTypeIdentifier', 'TemplateType', 'TypeIdentifier'];
  return names.flatMap(name => declaration.getChildren(name))[0] ?? null;
}

/** The names in namespace nvtx3 are also common words: without a qualifier, the text must use the library. */
function isNvtx3(source: string, {api}: CppOpener, {text}: CppText): boolean {
  if (!api.startsWith('nvtx3::')) return true;
  return /nvtx3?/.test(source) || /\bnvtx3\b/.test(text);
}

interface Use {
  readonly node: SyntaxNode;
  readonly parts: readonly SyntaxNode[];
  /** The called or declared type, with its template arguments. */
  readonly type: string;
}

function namePattern({node, parts, type}: Use, opener: CppOpener, cpp: CppText): NamePattern | null {
  const {namePosition} = opener;
  const name = namePosition === null ? ownName(node, cpp) : nameAt(parts[namePosition] ?? null, opener, cpp);
  if (!name) return null;
  const domain = domainOf(type, parts, opener, cpp);
  return domain ? joinPatterns([domain, [':'], name]) : name;
}

function ownName(node: SyntaxNode, {text}: CppText): NamePattern | null {
  const around = functionAround(node);
  return around ? [functionName(around, text)] : null;
}

function nameAt(argument: SyntaxNode | null, {isAttributes}: CppOpener, cpp: CppText): NamePattern | null {
  if (!argument || !isAttributes) return cppPatternOf(argument, cpp);
  const attributes = slice(argument, cpp).replace(/^&\s*/, '');
  for (const member of ['ascii', 'unicode', 'registered']) {
    const binding = cpp.bindings.of(`${attributes}.message.${member}`, argument);
    if (binding?.node) return cppPatternOf(binding.node, cpp);
  }
  return null;
}

/** Returns the name of a range's domain, from its handle, or from a type that represents it. */
function domainOf(type: string, parts: readonly SyntaxNode[], opener: CppOpener, cpp: CppText): NamePattern | null {
  const {domainPosition, domainType} = opener;
  if (domainPosition !== undefined) return domainOfHandle(parts[domainPosition] ?? null, cpp);
  const struct = domainType === undefined ? argumentOfTemplate(type) : slice(parts[domainType] ?? null, cpp);
  if (struct === undefined || /(^|::)global$/.test(struct)) return null;
  const value = cpp.bindings.nameOfStruct(lastSegment(struct));
  return cppPatternOf(value, cpp) ?? anyName;
}

/**
 * Returns the only argument of the innermost template. Removes blanks first, because an expression would try each run
 * of them in three ways.
 */
function argumentOfTemplate(type: string): string | undefined {
  return /<([^<>,]+)>/.exec(type.replace(/\s+/g, ''))?.[1];
}

function domainOfHandle(handle: SyntaxNode | null, cpp: CppText): NamePattern | null {
  if (!handle || /^(NULL|nullptr|0)$/.test(slice(handle, cpp))) return null;
  const made = handle.name === 'CallExpression' ? handle : cpp.bindings.of(slice(handle, cpp), handle)?.node;
  const isMade = made?.name === 'CallExpression' && /^nvtxDomainCreate[AW]$/.test(slice(made.firstChild, cpp));
  return (isMade ? cppPatternOf(partsOf(made.getChild('ArgumentList'))[0] ?? null, cpp) : null) ?? anyName;
}

function tagOf(node: SyntaxNode, {api, style}: CppOpener, pattern: NamePattern | null, cpp: CppText): SourceTag {
  const line = cpp.lines.lineAt(node.from);
  const block = style === 'scope' ? closest(node, blocks) : null;
  return {api, pattern, line, endLine: block ? cpp.lines.lineAt(block.to - 1) : line, offset: node.from};
}

const blocks = new Set(['CompoundStatement']);

/** Returns the variable that holds the id of a started range. */
function holderOf(call: SyntaxNode, cpp: CppText): string {
  const holder = call.parent;
  const isKept = holder?.name === 'InitDeclarator' || holder?.name === 'AssignmentExpression';
  return isKept ? slice(holder.firstChild, cpp) : '';
}

function pairedCall(node: SyntaxNode, style: string, opens: number | null, id: string, cpp: CppText): PairedCall {
  const group = `${style} ${String(functionAround(node)?.from ?? -1)}`;
  return {group, line: cpp.lines.lineAt(node.from), opens, id: style === 'start' ? id : null};
}

function slice(node: SyntaxNode | null, {text}: CppText): string {
  return node ? text.slice(node.from, node.to) : '';
}
