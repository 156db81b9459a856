import type {Tree} from '@lezer/common';
import {isFields} from '../core/base/read-json.js';
import type {FileContents, InCell} from '../core/source/source-index.js';
import {createTagReader, longestSource} from './tag-reader.js';

/** The most bytes of a notebook, which contains the pictures of its outputs; longer ones are not read. */
export const longestNotebook = 64_000_000;

const nothing: FileContents = {tags: [], modules: [], compiled: []};

/** IPython magics whose cells are Python; others pass their cells to another program. */
const pythonMagics = new Set(['time', 'timeit', 'capture', 'prun', 'debug']);
/** Each is parsed with the imports above it. Nobody edits a notebook with more such cells. */
const mostBroken = 200;
const mostImports = 200;
const longestImport = 1000;

/** A cell's Python text, and its index among all cells of the notebook, from 0. */
interface CellText {
  readonly cell: number;
  readonly text: string;
}

interface Cell {
  readonly cell: number;
  /** Its beginning in the text that is read: line from 1, offset in UTF-16 units. */
  readonly line: number;
  readonly offset: number;
  /** Number of its lines. */
  readonly length: number;
}

/** Cells joined to one text. */
interface Joined {
  readonly text: string;
  readonly cells: readonly Cell[];
}

/** Returns whether a file is a notebook, by its name. */
export function isNotebook(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/**
 * Returns the tags and similar contents of the Python cells of a notebook (nbformat 4); lines are counted in their
 * cells. The cells are read as one text, because they share names. An incomplete cell, such as one that is being typed,
 * is read separately with the imports above it, so that it does not hide the contents of other cells. Empty for a text
 * that is not a notebook, or of another language.
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

/** Returns the texts to read: one with all complete cells, and one for each incomplete cell. */
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
      // Complete cells below use its imports.
      together.push(importsOnly(imports));
    }
    for (const one of imports) if (above.size < mostImports) above.add(one);
  }
  return [joined(together), ...alone];
}

/** Imports are not in any cell that is read. */
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

/** Returns the imports of a cell outside of blocks. */
function importsIn({topNode}: Tree, text: string): string[] {
  const imports = topNode.getChildren('ImportStatement').map(({from, to}) => text.slice(from, to));
  return imports.filter(({length}) => length <= longestImport);
}

/** Returns the texts of the Python cells by index. Files are untrusted: invalid parts are skipped. */
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

/** Notebooks without a language are Python. */
function isPython(metadata: unknown): boolean {
  const language = isFields(metadata) ? metadata['language_info'] : undefined;
  const name = isFields(language) ? language['name'] : undefined;
  return name === undefined || name === 'python' || name === 'ipython';
}

/** Replaces a line with a command for the kernel, which is not Python. */
function withoutMagic(line: string): string {
  return /^\s*[%!]/.test(line) ? '' : line;
}

interface Place {
  readonly line: number;
  readonly endLine: number;
  readonly offset: number;
}

/** Moves a found item to its place in its cell. */
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
