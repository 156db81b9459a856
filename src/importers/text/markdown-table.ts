import {mostColumns, type RawTable} from './raw-table.js';

/**
 * Reads a table of pipes; null if none begins at `at`. A first row with an empty first cell and only bold others is a
 * second row of headers: `Forward Time (ms)` over `**bfloat16**`.
 */
export function readMarkdownTable(lines: readonly string[], at: number): RawTable | null {
  const rule = lines.at(at + 1);
  if (!isPiped(lines[at]) || rule === undefined || !isPiped(rule) || !isSeparator(rule)) return null;
  const first = cellsOf(lines[at]);
  if (first.length < 2 || first.length > mostColumns) return null;
  const second = cellsOf(lines.at(at + 2) ?? '');
  const hasSecond = isSecondHeader(second, first.length);
  const headers = hasSecond ? joinHeaders(first, second) : first;
  const firstRow = at + (hasSecond ? 3 : 2);
  return {firstLine: at, headers: headers.map(plainText), ...rowsFrom(lines, firstRow, first.length)};
}

function rowsFrom(
  lines: readonly string[],
  at: number,
  columns: number,
): Pick<RawTable, 'endLine' | 'rows' | 'badLines'> {
  const rows: string[][] = [];
  const badLines: number[] = [];
  let line = at;
  for (; isPiped(lines.at(line)); line++) {
    const cells = cellsOf(lines[line]);
    if (cells.length === columns) rows.push(cells.map(plainText));
    else badLines.push(line);
  }
  return {endLine: line, rows, badLines};
}

function isPiped(line: string | undefined): boolean {
  return line !== undefined && line.length < 100_000 && line.trimStart().startsWith('|');
}

/** Requiring a dash in one expression would search for it again at each dash. */
function isSeparator(line: string): boolean {
  return line.includes('-') && /^[|: -]*$/.test(line);
}

/** Returns the cells between unescaped pipes. */
function cellsOf(line: string): string[] {
  const cells: string[] = [];
  let cell = '';
  const text = line.trim();
  for (let i = text.startsWith('|') ? 1 : 0; i < text.length; i++) {
    const letter = text[i];
    if (letter === '\\' && text[i + 1] === '|') {
      cell += '\\|';
      i++;
    } else if (letter === '|') {
      cells.push(cell.trim());
      cell = '';
    } else cell += letter;
  }
  if (cell.trim() !== '') cells.push(cell.trim());
  return cells;
}

function isSecondHeader(cells: readonly string[], count: number): boolean {
  const named = cells.filter(cell => cell !== '');
  return (
    cells.length === count && cells[0] === '' && named.length > 0 && named.every(cell => /^\*\*.+\*\*$/.test(cell))
  );
}

/** A group's header applies to the empty cells after it, as long as there are headers below. */
function joinHeaders(groups: readonly string[], second: readonly string[]): string[] {
  let group = '';
  return groups.map((text, at) => {
    if (text !== '') group = text;
    const below = second[at];
    return below === '' ? text : `${group} ${below}`.trim();
  });
}

/** Returns a cell without Markdown's markup: bold, code, escapes. */
export function plainText(cell: string): string {
  return cell
    .replace(/\*\*([^*]{1,500})\*\*/g, '$1')
    .replace(/^`([^`]*)`$/, '$1')
    .replace(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll('&nbsp;', ' ')
    .trim();
}
