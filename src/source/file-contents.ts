import type {FileContents} from '../core/source/source-index.js';
import {isNotebook, longestNotebook, notebookContents} from './notebook.js';
import {createTagReader, languageOfPath, longestSource} from './tag-reader.js';

const nothing: FileContents = {tags: [], modules: [], compiled: []};

/** Returns the largest size in bytes of a file to read, by its name; 0 for a file that is not read. */
export function mostSourceBytes(path: string): number {
  if (isNotebook(path)) return longestNotebook;
  return languageOfPath(path) === null ? 0 : longestSource;
}

/** Returns the tags and similar contents of a file's text; empty for a language that is not read. */
export async function fileContents(path: string, text: string): Promise<FileContents> {
  if (isNotebook(path)) return notebookContents(text);
  const language = languageOfPath(path);
  if (language === null) return nothing;
  const reader = await createTagReader(language);
  return {tags: reader.tags(text), modules: reader.modules(text), compiled: reader.compiledNames(text)};
}
