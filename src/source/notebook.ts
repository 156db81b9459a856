import {isFields} from '../core/read-json.js';
import type {FileContents, InCell} from '../core/source/source-index.js';
import {createTagReader} from './tag-reader.js';

/** Bytes of a file: longer notebooks are not read. They hold the pictures of their outputs. */
export const longestNotebook = 64_000_000;

const nothing: FileContents = {tags: [], modules: [], compiled: []};

interface Cell {
  /** Its place among all cells of the notebook, from 0. */
  readonly cell: number;
  /** Where it begins in the joined text: line from 1, offset in UTF-16 units. */
  readonly line: number;
  readonly offset: number;
  /** How many lines it has. */
  readonly length: number;
}

/** Whether a file is a notebook, by its name. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/**
 * What the Python cells of a notebook (nbformat 4) have for ranges to stand on; lines are counted in their cells. They
 * are read as one text, since what one imports others use. Nothing for a text that is no notebook, or of another language.
 */
export async function notebookContents(json: string): Promise<FileContents> {
  const {text, cells} = joined(json);
  if (cells.length === 0) return nothing;
  const reader = await createTagReader('python');
  return {
    tags: reader.tags(text).map(tag => inCell(tag, cells)),
    modules: reader.modules(text).map(module => inCell(module, cells)),
    compiled: reader.compiledNames(text),
  };
}

function joined(json: string): {readonly text: string; readonly cells: readonly Cell[]} {
  const cells: Cell[] = [];
  let text = '';
  let line = 1;
  for (const [cell, source] of pythonSources(json)) {
    const lines = source.split(/\r\n|\r|\n/).map(withoutMagic);
    cells.push({cell, line, offset: text.length, length: lines.length});
    text += `${lines.join('\n')}\n`;
    line += lines.length;
  }
  return {text, cells};
}

/** The texts of the Python cells, by their places. Files are a stranger's: whatever is not of the form is left out. */
function pythonSources(json: string): readonly (readonly [number, string])[] {
  let notebook: unknown;
  try {
    notebook = JSON.parse(json);
  } catch {
    return [];
  }
  if (!isFields(notebook) || !Array.isArray(notebook['cells']) || !isPython(notebook['metadata'])) return [];
  return notebook['cells'].flatMap((cell: unknown, at) => {
    if (!isFields(cell) || cell['cell_type'] !== 'code') return [];
    const {source} = cell;
    const text = Array.isArray(source) ? source.filter(part => typeof part === 'string').join('') : source;
    // What begins with "%%" hands the cell to another program.
    return typeof text === 'string' && !text.startsWith('%%') ? [[at, text] as const] : [];
  });
}

/** Notebooks that do not say their language are Python's. */
function isPython(metadata: unknown): boolean {
  const language = isFields(metadata) ? metadata['language_info'] : undefined;
  const name = isFields(language) ? language['name'] : undefined;
  return name === undefined || name === 'python' || name === 'ipython';
}

/** A line for the kernel's own commands is none for the parser. */
function withoutMagic(line: string): string {
  return /^\s*[%!]/.test(line) ? '' : line;
}

function inCell<Found extends {readonly line: number; readonly endLine: number; readonly offset: number}>(
  found: Found,
  cells: readonly Cell[],
): Found & InCell {
  const own = cells.findLast(({line}) => line <= found.line);
  if (!own) return found;
  const line = found.line - own.line + 1;
  const endLine = Math.min(found.endLine - own.line + 1, own.length);
  return {...found, line, endLine, offset: found.offset - own.offset, cell: own.cell};
}
