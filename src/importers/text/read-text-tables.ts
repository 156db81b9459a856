import {pushAll} from '../../core/table/extremes.js';
import {formatCount} from '../../core/format/count.js';
import {nameColumns} from '../../core/reports/text-reports.js';
import {isCutName, type TextFooter, type TextTable} from '../../core/trace/text-table.js';
import {countedNote, noteOf, type TraceNote} from '../../core/trace/trace-note.js';
import {readMeans, readSeries} from './benchmark-lines.js';
import {readHtmlTable} from './html-table.js';
import {plainText, readMarkdownTable} from './markdown-table.js';
import {parseQuantity} from './quantity.js';
import type {TableReader} from './raw-table.js';
import {recogniseTable} from './recognise-table.js';
import {readRuledTable} from './ruled-table.js';

const readers: readonly TableReader[] = [readRuledTable, readMarkdownTable, readHtmlTable, readSeries, readMeans];

/** The most lines that a note names. */
const mostLines = 5;

/** The tables of a text in its order, and the notes that their reader needs. */
export interface TextTables {
  readonly tables: readonly TextTable[];
  readonly notes: readonly TraceNote[];
}

/** Finds every table that a profiler or a benchmark has printed in a text. Other tables are skipped. */
export function readTextTables(text: string): TextTables {
  // Text copied from a web page contains non-breaking spaces.
  const lines = text.replace(/[\u00a0\u202f]/g, ' ').split(/\r\n|\n|\r/);
  const tables: TextTable[] = [];
  const badLines: number[] = [];
  const around = new Surroundings();
  for (let line = 0; line < lines.length;) {
    const raw = readTable(lines, line);
    if (!raw) {
      addFooter(tables, lines[line]);
      around.pass(lines[line++]);
      continue;
    }
    const table = recogniseTable(raw, around.context());
    if (table && table.rows.length > 0) {
      tables.push(table);
      pushAll(badLines, raw.badLines);
    }
    line = raw.endLine;
  }
  return {tables, notes: [...cutNote(tables), ...badNote(badLines)]};
}

function readTable(lines: readonly string[], at: number): ReturnType<TableReader> {
  for (const read of readers) {
    const table = read(lines, at);
    if (table) return table;
  }
  return null;
}

/** The context of the next table: its heading, the run that it belongs to, the report that nsys has announced. */
class Surroundings {
  #title = '';
  #run = '';
  /** The last line that was not blank. */
  #before = '';
  #announced: string | null = null;

  pass(whole: string): void {
    const line = whole.slice(0, 500);
    if (line.trim() === '') return;
    const executing =
      /Executing '([\w:-]+)' (?:stats )?report/.exec(line) ?? /^\s*\*\* .* \(([\w:-]+)\):\s*$/.exec(line);
    if (executing) this.#announced = executing[1];
    const heading = headingOf(line, this.#before);
    if (heading !== null) this.#title = heading;
    const own = /^#+ .* \(([\w:-]+)\)$/.exec(line);
    if (own) this.#announced = own[1];
    const profile = /([^\s/\\'"]{1,200})\.(?:nsys-rep|qdrep|sqlite)\b/.exec(line);
    if (profile) this.#run = withoutOpening(profile[1]);
    this.#before = line;
  }

  context(): {announced: string | null; title: string; run: string} {
    const context = {announced: this.#announced, title: this.#title, run: this.#run};
    this.#announced = null;
    return context;
  }
}

const brackets: Readonly<Record<string, string>> = {'[': ']', '(': ')', '<': '>', '{': '}', '`': '`'};

/**
 * Removes the opening bracket from a file's name whose closing bracket follows its extension: `Processing
 * [run.sqlite]`.
 */
function withoutOpening(name: string): string {
  const close = brackets[name[0]] as string | undefined;
  return close === undefined || name.slice(1).includes(close) ? name : withoutOpening(name.slice(1));
}

/** Lines between the tables of PyTorch and of nsys that are not headings. */
const notHeadings = /^(?:#+ Summary|Processing \d+ events:)$/;

/** Returns the heading in a line: in Markdown, all emphasised, before a colon, or below a rule of equals signs. */
function headingOf(line: string, before: string): string | null {
  const text = line.trim();
  if (text.length > 200 || notHeadings.test(text)) return null;
  const marked = /^#{1,6} +(.+)$/.exec(text) ?? /^(?:\*{1,3}|_)([^*_][^*]*?)(?:\*{1,3}|_):?$/.exec(text);
  if (marked) return plainText(marked[1]);
  if (/^={10,}$/.test(before.trim()) && !text.startsWith('=')) return text;
  return /^[\w(][^:|]{0,60}:$/.test(text) ? text.slice(0, -1) : null;
}

/** Adds a footer such as `Self CPU time total: 24.129s` to the key_averages table above, whatever its emphasis. */
function addFooter(tables: TextTable[], line: string): void {
  if (!line.includes('time total')) return;
  const match = /(Self \w{2,20} time total): *(\S{1,30})\s*$/.exec(line.slice(0, 200).replaceAll('*', ''));
  const last = tables.at(-1);
  const quantity = match && parseQuantity(match[2]);
  if (last?.report !== 'key_averages' || quantity?.dimension !== 'time') return;
  const footer: TextFooter[] = [...last.footer, {label: match?.[1] ?? '', ns: quantity.value}];
  tables[tables.length - 1] = {...last, footer};
}

function cutNote(tables: readonly TextTable[]): TraceNote[] {
  let cut = 0;
  for (const table of tables) {
    const names = nameColumns(table);
    for (const cells of table.rows) if (names.some(at => isCutName(cells[at].text))) cut++;
  }
  if (cut === 0) return [];
  return [
    countedNote(
      'text/cut-names',
      cut,
      '{0} name was cut when the tables were printed. Rows with the same cut name stay separate because they may be different things.',
      '{0} names were cut when the tables were printed. Rows with the same cut name stay separate because they may be different things.',
    ),
  ];
}

function badNote(badLines: readonly number[]): TraceNote[] {
  if (badLines.length === 0) return [];
  const count = formatCount(badLines.length);
  const lines = badLines
    .slice(0, mostLines)
    .map(line => String(line + 1))
    .join(', ');
  const code = 'text/bad-rows';
  if (badLines.length > mostLines) {
    return [
      noteOf(code, '{0} table rows do not fit the columns and were left out: lines {1} and others.', count, lines),
    ];
  }
  return [
    countedNote(
      code,
      badLines.length,
      '{0} table row does not fit the columns and was left out: line {1}.',
      '{0} table rows do not fit the columns and were left out: lines {1}.',
      lines,
    ),
  ];
}
