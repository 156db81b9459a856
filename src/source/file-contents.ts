import type {FileContents} from '../core/source/source-index.js';
import {createTagReader, languageOfPath} from './tag-reader.js';

const nothing: FileContents = {tags: [], modules: [], compiled: []};

/** What the text of a file has for ranges to stand on; nothing for a file of a language that is not looked into. */
export async function fileContents(path: string, text: string): Promise<FileContents> {
  const language = languageOfPath(path);
  if (language === null) return nothing;
  const reader = await createTagReader(language);
  return {tags: reader.tags(text), modules: reader.modules(text), compiled: reader.compiledNames(text)};
}
