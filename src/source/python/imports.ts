import type {SyntaxNode, Tree} from '@lezer/common';
import {closest} from '../syntax.js';

/** The meanings of the names of a module. */
export interface Imports {
  /** Dotted names by local names: `nv` → `torch.cuda.nvtx`. */
  readonly names: ReadonlyMap<string, string>;
  /** Modules from which all names were imported. */
  readonly stars: readonly string[];
}

/**
 * Returns the imports of a Python text, anywhere in it: a tag may be imported inside a function. A name that is set to
 * a dotted name, or to an imported one, counts as an import: `push = torch.cuda.nvtx.range_push`, `rf =
 * record_function`.
 *
 * @param counts returns false for import statements to leave out
 */
export function findImports(
  tree: Tree,
  text: string,
  counts: (statement: SyntaxNode) => boolean = () => true,
): Imports {
  const names = new Map<string, string>();
  const stars: string[] = [];
  // Searches the text for lines that may contain an import: walking the tree of a long file takes longer.
  for (const match of text.matchAll(mayBind)) {
    const end = match.index + match[0].length;
    const statement = closest(tree.resolveInner(end, -1), statements);
    if (statement?.name === 'ImportStatement') {
      if (counts(statement)) addImport(text.slice(statement.from, statement.to), names, stars);
    } else if (statement) addAlias(statement, text, names);
  }
  return {names, stars};
}

/** Matches the beginning of an import, or of `name = dotted.name`. */
const mayBind =
  /(?:^|[;:])[ \t\f]*(?:from|import)\b|^[ \t]*[\p{L}_][\p{L}\p{N}_]*[ \t]*=(?=[ \t]*[\p{L}_][\p{L}\p{N}_.]*[ \t]*(?:[#;\r]|$))/gmu;

const statements = new Set(['ImportStatement', 'AssignStatement']);

/** Returns the dotted names that a dotted name of the text can mean: usually one. */
export function resolveDotted(dotted: string, {names, stars}: Imports): string[] {
  const dot = dotted.indexOf('.');
  const first = dot < 0 ? dotted : dotted.slice(0, dot);
  const known = names.get(first);
  if (known !== undefined) return [known + dotted.slice(first.length)];
  return [dotted, ...stars.map(module => `${module}.${dotted}`)];
}

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;

function addImport(source: string, names: Map<string, string>, stars: string[]): void {
  const words = source
    .replace(/[()\\]/g, ' ')
    .replace(/#.*$/gm, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const from = /^from (\S+) import (.*)$/.exec(words);
  const module = from?.[1];
  for (const part of (from?.[2] ?? words.replace(/^import /, '')).split(',')) {
    const [name, alias] = part.trim().split(' as ');
    if (!name) continue;
    if (module === undefined) {
      // `import torch.cuda` binds only `torch`.
      const local = alias ?? firstSegment(name);
      addName(names, local, alias === undefined ? local : name);
    } else if (name === '*') stars.push(module);
    else addName(names, alias ?? name, `${module}.${name}`);
  }
}

/** During typing, anything can be in the place of a name. */
function addName(names: Map<string, string>, local: string, dotted: string): void {
  if (identifier.test(local)) names.set(local, dotted);
}

const nameNodes = new Set(['VariableName', 'MemberExpression']);

function addAlias(assignment: SyntaxNode, text: string, names: Map<string, string>): void {
  const target = assignment.firstChild;
  const value = assignment.lastChild;
  if (target?.name !== 'VariableName' || !value || !nameNodes.has(value.name)) return;
  if (target.nextSibling?.name !== 'AssignOp' || target.nextSibling.nextSibling?.from !== value.from) return;
  const dotted = dottedName(text.slice(value.from, value.to));
  const known = dotted === null ? undefined : names.get(firstSegment(dotted));
  if (dotted === null || known === undefined) return;
  names.set(text.slice(target.from, target.to), known + dotted.slice(firstSegment(dotted).length));
}

/** Returns a dotted name without white space; null for any other text. */
export function dottedName(source: string): string | null {
  const dotted = source.replace(/\s+/g, '');
  return /^[\p{L}_][\p{L}\p{N}_]*(\.[\p{L}_][\p{L}\p{N}_]*)*$/u.test(dotted) ? dotted : null;
}

function firstSegment(dotted: string): string {
  return dotted.split('.', 1)[0] ?? dotted;
}
