import type {Tree} from '@lezer/common';
import {isFields} from '../core/base/read-json.js';
import type {FileContents, InCell} from '../core/source/source-index.js';
import {createTagReader, longestSource} from './tag-reader.js';

/** Bytes of a file: longer notebooks are not read. They hold the pictures of their outputs. */
export const longestNotebook = 64_000_000;

const nothing: FileContents = {tags: [], modules: [], compiled: []};

/** Magics of IPython whose cells are Python; others hand theirs to another program. */
const pythonMagics = new Set(['time', 'timeit', 'capture', 'prun', 'debug']);
/** Each is parsed with the imports above it: a notebook with more is none that a person edits. */
const mostBroken = 200;
const mostImports = 200;
const longestImport = 1000;

/** A cell's Python, and its place among all cells of the notebook, from 0. */
interface CellText {
  readonly cell: number;
  readonly text: string;
}

interface Cell {
  readonly cell: number;
  /** Where it begins in the text that is read: line from 1, offset in UTF-16 units. */
  readonly line: number;
  readonly offset: number;
  /** How many lines it has. */
  readonly length: number;
}

/** Cells as one text. */
interface Joined {
  readonly text: string;
  readonly cells: readonly Cell[];
}

/** Whether a file is a notebook, by its name. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/**
 * What the Python cells of a notebook (nbformat 4) have for ranges to stand on; lines are counted in their cells. They
 * are read as one text, since what one binds others use; a cell that is not whole Python, such as one that is being
 * typed, is read for itself with the imports above it, so that it hides nothing of the others. Nothing for a text that
 * is no notebook, or of another language.
 */
export async function notebookContents(json: string): Promise<FileContents> {
  const sources = pythonSources(json);
  const letters = sources.reduce((sum, {text}) => sum + text.length, 0);
  if (sources.length === 0 || letters > longestSource) return nothing;
  const {parsePython} = await import('./python-tags.js');
  const texts = textsOf(sources, text => {
    const {tree} = parsePython(text);
    return {isWhole: !hasError(tree), imports: importsIn(tree, text)};
  });
  const found: FileContents[] = [];
  for (const {text, cells} of texts) {
    const reader = await createTagReader('python');
    found.push({
      tags: reader.tags(text).flatMap(tag => inCell(tag, cells)),
      modules: reader.modules(text).flatMap(module => inCell(module, cells)),
      compiled: reader.compiledNames(text),
    });
  }
  return {
    tags: inOrder(found.flatMap(({tags}) => tags)),
    modules: inOrder(found.flatMap(({modules}) => modules)),
    compiled: [...new Set(found.flatMap(({compiled}) => compiled))],
  };
}

/** The texts to read: that of all whole cells, and one for each cell that is not. */
function textsOf(
  sources: readonly CellText[],
  examine: (text: string) => {readonly isWhole: boolean; readonly imports: readonly string[]},
): Joined[] {
  const together: CellText[] = [];
  const alone: Joined[] = [];
  const above = new Set<string>();
  for (const source of sources) {
    const {isWhole, imports} = examine(source.text);
    if (isWhole) together.push(source);
    else {
      if (alone.length < mostBroken) alone.push(joined([importsOnly(above), source]));
      // The whole ones below use what it imports.
      together.push(importsOnly(imports));
    }
    for (const one of imports) if (above.size < mostImports) above.add(one);
  }
  return [joined(together), ...alone];
}

/** Imports stand in no cell that is read. */
function importsOnly(imports: Iterable<string>): CellText {
  return {cell: -1, text: [...imports].join('\n')};
}

function joined(sources: readonly CellText[]): Joined {
  const cells: Cell[] = [];
  let text = '';
  let line = 1;
  for (const {cell, text: own} of sources) {
    const length = own.split('\n').length;
    cells.push({cell, line, offset: text.length, length});
    text += `${own}\n`;
    line += length;
  }
  return {text, cells};
}

function hasError(tree: Tree): boolean {
  const cursor = tree.cursor();
  do if (cursor.type.isError) return true;
  while (cursor.next());
  return false;
}

/** The imports of a cell that stand in no block. */
function importsIn({topNode}: Tree, text: string): string[] {
  const imports = topNode.getChildren('ImportStatement').map(({from, to}) => text.slice(from, to));
  return imports.filter(({length}) => length <= longestImport);
}

/** The texts of the Python cells, by their places. Files are a stranger's: whatever is not of the form is left out. */
function pythonSources(json: string): readonly CellText[] {
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
    if (typeof text !== 'string') return [];
    const magic = /^\s*%%(\w*)/.exec(text)?.[1];
    if (magic !== undefined && !pythonMagics.has(magic)) return [];
    const lines = text.split(/\r\n|\r|\n/).map(withoutMagic);
    return [{cell: at, text: lines.join('\n')}];
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

interface Place {
  readonly line: number;
  readonly endLine: number;
  readonly offset: number;
}

/** What was found, placed in its cell. */
function inCell<Found extends Place>(found: Found, cells: readonly Cell[]): (Found & InCell)[] {
  const own = cells.findLast(({line}) => line <= found.line);
  if (!own || own.cell < 0) return [];
  const line = found.line - own.line + 1;
  const endLine = Math.min(found.endLine - own.line + 1, own.length);
  return [{...found, line, endLine, offset: found.offset - own.offset, cell: own.cell}];
}

function inOrder<Found extends Place & InCell>(found: readonly Found[]): readonly Found[] {
  return found.toSorted((a, b) => (a.cell ?? 0) - (b.cell ?? 0) || a.offset - b.offset);
}
