import {Tokenizer, type Token, type TokenHandler} from 'parse5';
import {mostColumns, type RawTable} from './raw-table.js';

const mostLines = 20_000;
const partsOfTables = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td']);

interface HtmlCell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

/** A cell whose end has not been read. */
type OpenCell = Omit<HtmlCell, 'text'> & {readonly texts: string[]};

/**
 * Reads a `<table>`; a cell that spans columns or rows is repeated in each of them. Null if no table begins at `at`. A
 * table that contains other tables has no figures.
 */
export function readHtmlTable(lines: readonly string[], at: number): RawTable | null {
  if (!isTableStart(lines.at(at))) return null;
  const limit = Math.min(lines.length, at + mostLines);
  let end = at;
  while (end < limit && !/<\/table>/i.test(lines.at(end) ?? '')) {
    end++;
    // So each line is read once, however many tables begin and never end.
    if (isTableStart(lines.at(end))) return null;
  }
  if (end === limit) return null;
  const rows = rowsOf(lines.slice(at, end + 1).join('\n'));
  const grid = spread(rows);
  const headerRows = rows.findIndex(row => row.some(({isHeader}) => !isHeader));
  if (headerRows < 1) return null;
  const headers = (grid[0] ?? []).map((_, column) => joined(grid.slice(0, headerRows).map(row => row[column] ?? '')));
  if (headers.length < 2) return null;
  return {
    firstLine: at,
    endLine: end + 1,
    headers,
    rows: grid.slice(headerRows).map(row => headers.map((_, column) => row[column] ?? '')),
    badLines: [],
  };
}

function isTableStart(line: string | undefined): boolean {
  return line !== undefined && /<table\b/i.test(line);
}

/**
 * Collects the rows of a table from its tags and texts. End tags that HTML makes optional, such as `</td>`, may be
 * missing.
 */
class RowCollector implements TokenHandler {
  readonly rows: HtmlCell[][] = [];
  #cell: OpenCell | null = null;

  onStartTag({tagName, attrs}: Token.TagToken): void {
    if (!partsOfTables.has(tagName)) return;
    this.#close();
    if (tagName === 'tr') this.rows.push([]);
    if (tagName !== 'th' && tagName !== 'td') return;
    const [columns, rows] = [spanOf(attrs, 'colspan'), spanOf(attrs, 'rowspan')];
    this.#cell = {texts: [], isHeader: tagName === 'th', columns, rows};
  }

  onEndTag({tagName}: Token.TagToken): void {
    if (partsOfTables.has(tagName)) this.#close();
  }

  onCharacter({chars}: Token.CharacterToken): void {
    this.#cell?.texts.push(chars);
  }

  onWhitespaceCharacter({chars}: Token.CharacterToken): void {
    this.#cell?.texts.push(chars);
  }

  onNullCharacter(): void {
    // Not a text.
  }

  onComment(): void {
    // Not a text.
  }

  onDoctype(): void {
    // A table has none.
  }

  onEof(): void {
    this.#close();
  }

  #close(): void {
    if (!this.#cell) return;
    const {texts, ...cell} = this.#cell;
    this.rows.at(-1)?.push({...cell, text: texts.join('').replace(/\s+/g, ' ').trim()});
    this.#cell = null;
  }
}

/** Returns the rows of a table from the HTML standard's tokenizer: building the tree could take quadratic time. */
function rowsOf(html: string): HtmlCell[][] {
  const collector = new RowCollector();
  new Tokenizer({}, collector).write(html, true);
  return collector.rows;
}

function spanOf(attributes: readonly Token.Attribute[], name: 'colspan' | 'rowspan'): number {
  const value = Number.parseInt(attributes.find(attribute => attribute.name === name)?.value ?? '', 10);
  return Math.min(mostColumns, Math.max(1, Number.isNaN(value) ? 1 : value));
}

function spread(rows: readonly (readonly HtmlCell[])[]): string[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  for (const [at, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[at][column] !== undefined) column++;
      for (let row = at; row < Math.min(rows.length, at + cell.rows); row++) {
        for (let i = column; i < Math.min(mostColumns, column + cell.columns); i++) {
          // A header over several rows is written only once.
          grid[row][i] = row > at && cell.isHeader ? '' : cell.text;
        }
      }
      column += cell.columns;
    }
  }
  return grid.map(row => Array.from(row, text => text ?? ''));
}

function joined(texts: readonly string[]): string {
  return texts.filter(text => text !== '').join(' ');
}
