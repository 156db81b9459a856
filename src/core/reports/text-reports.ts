import {printedFixed} from '../format/printed-fixed.js';
import {torchTime} from './key-averages-report.js';
import {reportDefinitions} from './reports.js';
import type {ColumnMeaning, Report, ReportColumn} from './report.js';
import {benchmarkId, isCutName, type TextColumn, type TextTable} from '../trace/text-table.js';

/**
 * Returns the tables of a text as reports, in the order of the text.
 *
 * A report has nsys's name. If several tables have the same name, the run (`nvtx_sum@run`) or a number from 1
 * (`key_averages#2`) distinguishes them.
 */
export function textReports(tables: readonly TextTable[]): Report[] {
  const names = uniqueNames(tables);
  return tables.map((table, at) => reportOf(table, names[at]));
}

/** Returns the reports that a request names: `nvtx_sum` selects all of that name, `nvtx_sum@run` one of them. */
export function textReportsCalled(reports: readonly Report[], request: string): Report[] {
  return reports.filter(({name}) => name === request || name.replace(/[@#].*$/, '') === request);
}

function reportOf(table: TextTable, name: string): Report {
  const definition = reportDefinitions.find(({id}) => id === table.report);
  const known = definition?.columns ?? [];
  const deviates = table.columns.map((_, at) => table.rows.some(cells => cells[at].deviation !== null));
  // The number after a ± has a column of its own.
  const columns = table.columns.flatMap((column, at) => {
    const own = columnOf(column, known);
    return deviates[at] ? [own, columnOf({...column, title: `${column.title} ±`}, known)] : [own];
  });
  const heading = [definition?.title, table.title, table.run].filter(text => text !== undefined && text !== '');
  const names = nameColumns(table);
  return {
    name,
    title: heading.join(', ') || 'Benchmark',
    columns,
    rows: {
      length: table.rows.length,
      cells: row =>
        table.rows[row].flatMap(({text, value, deviation}, at) => {
          const own = value ?? (text === '' ? null : text);
          return deviates[at] ? [own, deviation] : [own];
        }),
      isCut: row => names.some(at => isCutName(table.rows[row][at].text)),
      footer: table.footer.map(({label, ns}) => `${label}: ${torchTime(ns)}`),
    },
    ...(definition?.layout && showsAll(table) && {layout: definition.layout}),
  };
}

/** PyTorch's layout omits the GPU columns if the footer has no total for them. */
function showsAll({columns, footer}: TextTable): boolean {
  return footer.length > 1 || !columns.some(({title}) => title.includes('CUDA'));
}

/** Returns the columns whose texts name what a row describes: the only columns that profilers cut. */
export function nameColumns({report, columns}: TextTable): number[] {
  if (report === benchmarkId) return [];
  return columns.flatMap(({isText}, at) => (isText ? [at] : []));
}

function columnOf(column: TextColumn, known: readonly ReportColumn[]): ReportColumn {
  const same = known.find(({title}) => title === column.title);
  if (same) return same;
  const {title, unit, isText} = column;
  const definition = 'as the text says';
  const {role, addsUp, hasBar} = columnsByTitle.get(title) ?? {};
  if (isText) return {title, unit: 'none', isText, definition, ...(role && {role})};
  const meaning = {...(addsUp && {addsUp}), ...(hasBar && {hasBar})};
  if (unit === 'bytes')
    return {title, unit: 'none', definition: `${definition}; bytes`, display: torchMemory, ...meaning};
  return {title, unit, definition, ...meaning};
}

/** If a table is not a known report, a column means what a report's column of the same title means. */
const columnsByTitle: ReadonlyMap<string, ColumnMeaning> = new Map(
  reportDefinitions.flatMap(({columns}) => columns.map(column => [column.title, column] as const)).reverse(),
);

/** Returns PyTorch's text of a size, in units of 1024: `-3.07 Gb`. */
function torchMemory(bytes: number): string {
  const size = Math.abs(bytes);
  const unit = memoryUnits.find(([least]) => size >= least);
  return unit ? `${printedFixed(bytes / unit[0], 2)} ${unit[1]}` : `${String(bytes)} b`;
}

const memoryUnits: readonly (readonly [bytes: number, symbol: string])[] = [
  [2 ** 30, 'Gb'],
  [2 ** 20, 'Mb'],
  [2 ** 10, 'Kb'],
];

function uniqueNames(tables: readonly TextTable[]): string[] {
  const counts = countsOf(tables.map(({report}) => report));
  const byRun = tables.map(({report, run}) => (run === '' ? report : `${report}@${run}`));
  const runCounts = countsOf(byRun);
  const seen = new Map<string, number>();
  return tables.map(({report}, at) => {
    if (counts.get(report) === 1) return report;
    if (runCounts.get(byRun[at]) === 1) return byRun[at];
    const number = (seen.get(byRun[at]) ?? 0) + 1;
    seen.set(byRun[at], number);
    return `${byRun[at]}#${String(number)}`;
  });
}

function countsOf(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}
