import type {ModuleForward} from '../core/source/module-forward.js';
import type {SourceTag} from '../core/source/source-tag.js';
import type {LineSpan} from '../core/source/compiled-code.js';
import type {Suspect} from '../core/source/suspect.js';
import type {ParsedText} from './parsed-text.js';

/**
 * Letters of a text, or bytes of a file: a longer one is no source that a person edits, and parsing it would stall an
 * editor.
 */
export const longestSource = 4_000_000;

/** What tags are looked for in. */
export type SourceLanguage = 'python' | 'cpp';

/** The language of a file by its name; null for one that is not looked into. */
export function languageOfPath(path: string): SourceLanguage | null {
  if (/\.pyw?$/i.test(path)) return 'python';
  return /\.(cu|cuh|cc|cpp|cxx|c|hh|hpp|hxx|h|inl)$/i.test(path) ? 'cpp' : null;
}

/** The language that an editor calls so; null for one that is not looked into. */
export function languageOfId(languageId: string): SourceLanguage | null {
  if (languageId === 'python') return 'python';
  return ['c', 'cpp', 'cuda', 'cuda-cpp'].includes(languageId) ? 'cpp' : null;
}

/** Reads one text, again and again while it changes: what stayed is not parsed anew. Finds nothing in one that is too long. */
export interface TagReader {
  /** What opens a tagged range in the text as it is now, in its order. */
  tags(text: string): readonly SourceTag[];
  /** The methods on which ranges of modules stand. */
  modules(text: string): readonly ModuleForward[];
  /** The places that may be mistakes. */
  suspects(text: string): readonly Suspect[];
  /** What the text hands to torch.compile, by name. */
  compiledNames(text: string): readonly string[];
  /** The lines of what has one of these names, and of what it uses. */
  compiledLines(text: string, names: ReadonlySet<string>): readonly LineSpan[];
}

/** A reader for one text. Loads the parser of the language, whose tables are most of the extension's code. */
export async function createTagReader(language: SourceLanguage): Promise<TagReader> {
  return language === 'python' ? pythonReader() : cppReader();
}

async function pythonReader(): Promise<TagReader> {
  const {parsePython, pythonTags, mayHavePythonTags} = await import('./python-tags.js');
  const {mayHaveModules, moduleForwards} = await import('./python/modules.js');
  const {compiledLines, compiledNames, mayCompile} = await import('./python/compiled.js');
  const {findSuspects, mayHaveSuspects} = await import('./python/suspects.js');
  return reader(
    {parse: parsePython, mayHave: mayHavePythonTags, find: pythonTags},
    {mayHave: mayHaveModules, find: moduleForwards},
    {mayHave: mayHaveSuspects, find: findSuspects},
    {mayHave: mayCompile, find: compiledNames},
    compiledLines,
  );
}

async function cppReader(): Promise<TagReader> {
  const {parseCpp, cppTags, mayHaveCppTags} = await import('./cpp-tags.js');
  return reader({parse: parseCpp, mayHave: mayHaveCppTags, find: cppTags}, nothing, nothing, nothing, () => []);
}

interface Finder<T> {
  readonly mayHave: (text: string) => boolean;
  readonly find: (parsed: ParsedText) => readonly T[];
}

const nothing: Finder<never> = {mayHave: () => false, find: () => []};

function reader(
  ofTags: Finder<SourceTag> & {readonly parse: (text: string, before: ParsedText | null) => ParsedText},
  ofModules: Finder<ModuleForward>,
  ofSuspects: Finder<Suspect>,
  ofCompiled: Finder<string>,
  linesOf: (parsed: ParsedText, names: ReadonlySet<string>) => readonly LineSpan[],
): TagReader {
  let last: ParsedText | null = null;
  const remembered = <T>({mayHave, find}: Finder<T>) => {
    let of: ParsedText | null = null;
    let found: readonly T[] = [];
    return (text: string) => {
      if (text.length > longestSource || !mayHave(text)) return [];
      last = ofTags.parse(text, last);
      if (of !== last) [of, found] = [last, find(last)];
      return found;
    };
  };
  return {
    tags: remembered(ofTags),
    modules: remembered(ofModules),
    suspects: remembered(ofSuspects),
    compiledNames: remembered(ofCompiled),
    compiledLines(text, names) {
      if (text.length > longestSource || names.size === 0) return [];
      last = ofTags.parse(text, last);
      return linesOf(last, names);
    },
  };
}
