import type {FileContents} from '../core/source/source-index.js';
import {isNotebook, longestNotebook, notebookContents} from './notebook.js';
import {createTagReader, languageOfPath, longestSource} from './tag-reader.js';

const nothing: FileContents = {tags: [], modules: [], compiled: []};

/** How many bytes a file may have to be read, by its name; 0 for one that is not looked into. */
export function mostSourceBytes(path: string): number {
  if (isNotebook(path)) return longestNotebook;
  return languageOfPath(path) === null ? 0 : longestSource;
}

/** What the text of a file has for ranges to stand on; nothing for a file of a language that is not looked into. */
export async function fileContents(path: string, text: string): Promise<FileContents> {
  if (isNotebook(path)) return notebookContents(text);
  const language = languageOfPath(path);
  if (language === null) return nothing;
  const reader = await createTagReader(language);
  return {tags: reader.tags(text), modules: reader.modules(text), compiled: reader.compiledNames(text)};
}
