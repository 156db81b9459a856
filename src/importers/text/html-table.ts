import {mostColumns, type RawTable} from './raw-table.js';

const mostLines = 20_000;
const tag = /<(\/?)(table|thead|tbody|tr|th|td)\b([^<>]{0,500})>/gi;

interface HtmlCell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

/**
 * Reads a `<table>`, cells that span columns or rows in each of them; null where none begins at `at`. A table that others
 * lie in is no table of figures.
 */
export function readHtmlTable(lines: readonly string[], at: number): RawTable | null {
  if (!isTableStart(lines.at(at))) return null;
  const limit = Math.min(lines.length, at + mostLines);
  let end = at;
  while (end < limit && !/<\/table>/i.test(lines.at(end) ?? '')) {
    end++;
    // So each line is looked at once, however many tables begin and never end.
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

function rowsOf(html: string): HtmlCell[][] {
  const rows: HtmlCell[][] = [];
  let open: {isHeader: boolean; attributes: string; from: number} | null = null;
  for (const {index, 0: text, 1: slash, 2: name = '', 3: attributes = ''} of html.matchAll(tag)) {
    const element = name.toLowerCase();
    if (open) {
      const {from, isHeader} = open;
      const [columns, height] = [spanOf(open.attributes, 'colspan'), spanOf(open.attributes, 'rowspan')];
      rows.at(-1)?.push({text: textOf(html.slice(from, index)), isHeader, columns, rows: height});
      open = null;
    }
    if (slash === '/') continue;
    if (element === 'tr') rows.push([]);
    else if (element === 'th' || element === 'td') {
      open = {isHeader: element === 'th', attributes, from: index + text.length};
    }
  }
  return rows;
}

function spanOf(attributes: string, name: 'colspan' | 'rowspan'): number {
  const digits = new RegExp(`\\b${name}\\s*=\\s*["']?(\\d{1,4})`, 'i').exec(attributes)?.[1];
  return Math.min(mostColumns, Math.max(1, Number(digits ?? 1)));
}

function spread(rows: readonly (readonly HtmlCell[])[]): string[][] {
  const grid: (string | undefined)[][] = rows.map(() => []);
  for (const [at, cells] of rows.entries()) {
    let column = 0;
    for (const cell of cells) {
      while (grid[at][column] !== undefined) column++;
      for (let row = at; row < Math.min(rows.length, at + cell.rows); row++) {
        for (let i = column; i < Math.min(mostColumns, column + cell.columns); i++) {
          // A header over several rows is said once.
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

const entities: Readonly<Record<string, string>> = {amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', plusmn: '±'};

function textOf(html: string): string {
  return html
    .replace(/<[^<>]{0,500}>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp|plusmn);/g, (whole, name: string) => entities[name] ?? whole)
    .replace(/\s+/g, ' ')
    .trim();
}
