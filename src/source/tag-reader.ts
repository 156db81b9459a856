import type {ModuleForward} from '../core/source/module-forward.js';
import type {SourceTag} from '../core/source/source-tag.js';
import type {LineSpan} from '../core/source/compiled-code.js';
import type {Suspect} from '../core/source/suspect.js';
import type {ParsedText} from './parsed-text.js';

/** In letters of a text, or bytes of a file. Nobody edits a longer source, and parsing it would block an editor. */
export const longestSource = 4_000_000;

/** The languages in which tags are searched. */
export type SourceLanguage = 'python' | 'cpp';

/** Returns the language of a file by its name; null for a file that is not read. */
export function languageOfPath(path: string): SourceLanguage | null {
  if (/\.pyw?$/i.test(path)) return 'python';
  return /\.(cu|cuh|cc|cpp|cxx|c|hh|hpp|hxx|h|inl)$/i.test(path) ? 'cpp' : null;
}

/** Returns the language with an editor's language id; null for a language that is not read. */
export function languageOfId(languageId: string): SourceLanguage | null {
  if (languageId === 'python') return 'python';
  return ['c', 'cpp', 'cuda', 'cuda-cpp'].includes(languageId) ? 'cpp' : null;
}

/**
 * Reads one text repeatedly while it changes: unchanged parts are not parsed again. Finds nothing in a text that is too
 * long.
 */
export interface TagReader {
  /** Returns the places of the present text that open a tagged range, in its order. */
  tags(text: string): readonly SourceTag[];
  /** Returns the methods whose calls are ranges of modules. */
  modules(text: string): readonly ModuleForward[];
  /** Returns the places that may be mistakes. */
  suspects(text: string): readonly Suspect[];
  /** Returns the names that the text passes to torch.compile. */
  compiledNames(text: string): readonly string[];
  /** Returns the lines of the definitions with these names, and of the definitions that they use. */
  compiledLines(text: string, names: ReadonlySet<string>): readonly LineSpan[];
}

/** Creates a reader for one text. Loads the language's parser, whose tables are most of the extension's code. */
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
