import {mostColumns, type RawTable} from './raw-table.js';

/** A column below a rule of dashes, as positions in a line. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const rule = /^\s*-{2,}(?:\s+-{2,})+\s*$/;
const widestRule = 20_000;

/**
 * Reads a table with rules of dashes, as printed by `nsys stats` and PyTorch; null if none begins at `at`.
 *
 *     Time (%)  Name        ---------  ------
 *     --------  ----             Name    CPU
 *         60.4  gemm        ---------  ------
 *                                mm      1us
 *                           ---------  ------
 *
 * A row is split at the columns of the rule if there are blanks, else at two or more blanks: the first line of a pasted
 * table often lacks its indent, and long values shift the ones after them.
 */
export function readRuledTable(lines: readonly string[], at: number): RawTable | null {
  const start = startOf(lines, at);
  if (!start) return null;
  const spans = spansOf(start.rule);
  const headers = spans.length > mostColumns ? null : cellsOf(start.header, spans);
  if (!headers?.every(header => header !== '')) return null;
  const rows: string[][] = [];
  const badLines: number[] = [];
  let line = start.firstRow;
  for (; line < lines.length; line++) {
    const text = lines[line];
    if (text.trim() === '' || isRule(text)) break;
    const cells = cellsOf(text, spans);
    if (cells) rows.push(cells);
    else badLines.push(line);
  }
  return {firstLine: at, endLine: isRule(lines.at(line)) ? line + 1 : line, headers, rows, badLines};
}

/** Returns the header and the rule that define the columns; PyTorch has a rule above the header, too. */
function startOf(lines: readonly string[], at: number): {header: string; rule: string; firstRow: number} | null {
  const hasRuleAbove = isRule(lines[at]);
  const header = hasRuleAbove ? lines.at(at + 1) : lines[at];
  const rule = lines.at(at + (hasRuleAbove ? 2 : 1));
  if (header === undefined || header.trim() === '' || !isRule(rule)) return null;
  return {header, rule: rule ?? '', firstRow: at + (hasRuleAbove ? 3 : 2)};
}

function isRule(line: string | undefined): boolean {
  return line !== undefined && line.length < widestRule && line.includes('--') && rule.test(line);
}

function spansOf(line: string): Span[] {
  return Array.from(line.matchAll(/-+/g), ({index, 0: dashes}) => ({start: index, end: index + dashes.length}));
}

function cellsOf(line: string, spans: readonly Span[]): string[] | null {
  // Python counts code points; those outside the basic plane are two units in JavaScript.
  const letters = /[\ud800-\udfff]/.test(line) ? Array.from(line) : line;
  const cells: string[] = [];
  for (const [at, {start, end}] of spans.entries()) {
    const next = spans.at(at + 1);
    if (next && textBetween(letters, end, next.start).trim() !== '') return splitAtBlanks(line, spans.length);
    // Text before the first column belongs to it.
    cells.push(textBetween(letters, at === 0 ? 0 : start, next ? end : letters.length).trim());
  }
  const blanks = cells.filter(cell => cell === '').length;
  return 2 * blanks >= spans.length ? splitAtBlanks(line, spans.length) : cells;
}

function textBetween(letters: string | readonly string[], start: number, end: number): string {
  return typeof letters === 'string' ? letters.slice(start, end) : letters.slice(start, end).join('');
}

/** Splits a line at two or more blanks; null if there are not as many pieces as columns. */
function splitAtBlanks(line: string, count: number): string[] | null {
  const pieces = line.trim().split(/ {2,}/);
  return pieces.length === count ? pieces : null;
}
