import {keyAveragesReport} from '../../core/reports/key-averages-report.js';
import type {ReportColumn} from '../../core/reports/report.js';
import {parseReportRequest, reportDefinitions} from '../../core/reports/reports.js';
import {benchmarkId, type TextCell, type TextColumn, type TextTable} from '../../core/trace/text-table.js';
import {benchmarkColumns} from './benchmark-columns.js';
import {headerOf} from './column-header.js';
import {parseQuantity, timesPowerOfTen} from './quantity.js';
import type {RawTable} from './raw-table.js';
import type {ReadColumn} from './read-column.js';

/** What the text around a table says about it. */
export interface TableContext {
  /** The report that nsys announced next; null if it announced none. */
  readonly announced: string | null;
  readonly title: string;
  readonly run: string;
}

/** Interprets a table; null if it is neither a profiler's report nor a benchmark. */
export function recogniseTable(raw: RawTable, {announced, title, run}: TableContext): TextTable | null {
  const report = reportOf(raw, announced);
  const columns = report === null ? benchmarkColumns(raw) : raw.headers.map((header, at) => columnOf(raw, header, at));
  if (columns === null) return null;
  const isRange = report?.startsWith('nvtx_') === true;
  const rows = raw.rows.map(texts =>
    texts.map((text, at) => {
      const column = columns[at];
      // Since 2023 nsys writes a bare colon before ranges of the default domain.
      return column.isText ? textCell(isRange ? text.replace(/^:/, '') : text) : numberCell(text, column);
    }),
  );
  return {
    report: report ?? benchmarkId,
    title,
    run,
    line: raw.firstLine + 1,
    columns: columns.map(plainColumn),
    rows,
    footer: [],
  };
}

function plainColumn({title, unit, isText}: ReadColumn): TextColumn {
  return {title, unit, isText};
}

/** Columns of the events view of Nsight Systems. */
const eventColumns = ['Name', 'Start', 'Duration', 'TID', 'GPU', 'Context'];

function reportOf(raw: RawTable, announced: string | null): string | null {
  const titles = raw.headers.map(header => headerOf(header).title);
  const has = (...wanted: string[]) => wanted.every(title => titles.includes(title));
  if (has('Name', 'Self CPU', '# of Calls')) return keyAveragesReport.id;
  const request = announced === null ? null : parseReportRequest(announced);
  if (request && has(request.definition.columns.at(-1)?.title ?? '')) return request.definition.id;
  const same = reportDefinitions.filter(({columns}) => isOf(titles, columns));
  if (same.length > 0)
    return ownOf(
      raw,
      same.map(({id}) => id),
    );
  return has('Name', 'Start', 'Duration') && titles.every(title => eventColumns.includes(title)) ? 'nsys_events' : null;
}

/** Returns whether a report has these columns: all of its text columns, and at least a few of its number columns. */
function isOf(titles: readonly string[], columns: readonly ReportColumn[]): boolean {
  const own = columns.map(({title}) => title);
  return (
    titles.length >= 3 &&
    titles.every(title => own.includes(title)) &&
    columns.every(({title, isText}) => isText !== true || titles.includes(title)) &&
    titles.some(title => title.startsWith('Total') || title === 'Duration')
  );
}

/** Calls of the CUDA API and of the operating system are in tables with the same columns. */
function ownOf(raw: RawTable, ids: readonly string[]): string | null {
  if (!ids.includes('cuda_api_sum') || !ids.includes('osrt_sum')) return ids[0];
  return raw.rows.some(cells => /^cu(da)?[A-Z]/.test(cells.at(-1) ?? '')) ? 'cuda_api_sum' : 'osrt_sum';
}

const textTitles: ReadonlySet<string> = new Set(
  [
    ...reportDefinitions.flatMap(({columns}) => columns),
    ...['GPU', 'Context', 'Input Shapes', 'Source Location', 'Node ID'].map(title => ({title, isText: true})),
  ]
    .filter(({isText}) => isText === true)
    .map(({title}) => title),
);

function columnOf({rows}: RawTable, header: string, at: number): ReadColumn {
  const {title, unit, exponent} = headerOf(header);
  if (textTitles.has(title)) return {title, unit: 'none', isText: true, exponent: null};
  if (unit !== 'none') return {title, unit, isText: false, exponent};
  const dimension = rows.map(cells => parseQuantity(cells[at])?.dimension).find(found => found && found !== 'none');
  if (title.endsWith('Mem')) return {title, unit: 'bytes', isText: false, exponent: 0};
  if (dimension === 'time') return {title, unit: 'ns', isText: false, exponent: null};
  if (dimension === 'percent' || title.endsWith('%')) return {title, unit: 'percent', isText: false, exponent: 0};
  return {title, unit: 'none', isText: false, exponent: 0};
}

function textCell(text: string): TextCell {
  return {text, value: null, deviation: null};
}

const signs = /[\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f]|[\u{1f300}-\u{1faff}]/gu;

/** Parses the number in a text and the one after its `±`; emoji beside it have no meaning. */
function numberCell(text: string, column: ReadColumn): TextCell {
  const [value = '', deviation = '', ...others] = text.length > 200 ? [] : text.replace(signs, '').split(/±|\+\/-/);
  const isPlain = others.length === 0;
  const number = isPlain ? numberOf(value, column) : null;
  return {text, value: number, deviation: number === null ? null : numberOf(deviation, column)};
}

function numberOf(text: string, {unit, exponent}: ReadColumn): number | null {
  const quantity = parseQuantity(text);
  if (!quantity) return null;
  const {value, dimension} = quantity;
  if (dimension === 'none') return exponent === null ? null : timesPowerOfTen(value, exponent);
  const own = {
    ns: 'time',
    bytes: 'bytes',
    percent: 'percent',
    megabytes: 'bytes',
    megabytesPerSecond: null,
    none: null,
  }[unit];
  return dimension === own ? value : null;
}
