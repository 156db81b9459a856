import type {BudgetResult} from '../core/compare/check-budgets.js';
import {pushAll} from '../core/table/extremes.js';
import type {ComparisonRow, ComparisonTotal, RunComparison} from '../core/compare/run-comparison.js';
import type {RunMatrix} from '../core/compare/run-matrix.js';
import {formatDuration} from '../core/format/duration.js';
import {formatCount, plural} from '../core/format/count.js';
import {shortenMiddle} from '../core/format/shorten-middle.js';
import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** Kernels' names can fill a screen; CSV and JSON have them whole. */
const widestPath = 80;

/**
 * A comparison of two runs in one of the output formats, with a final line feed.
 *
 * @param budgets what became of the budgets; null if none were checked. CSV has the rows alone
 */
export function comparisonText(
  {comparable, total, rows}: RunComparison,
  budgets: readonly BudgetResult[] | null,
  format: OutputFormat,
): string {
  if (format === 'json') {
    return `${JSON.stringify({comparable, total, rows, ...(budgets && {budgets})}, null, 2)}\n`;
  }
  if (format === 'csv') return formatRows(rows, columns(total), format);
  const withWork = rows.filter(({before, after}) => before.gpuWorkNs + after.gpuWorkNs > 0);
  const table = formatRows(withWork, columns(total), format);
  const lines = summaryLines({comparable, total});
  const hidden = rows.length - withWork.length;
  pushAll(lines, (budgets ?? []).map(budgetLine));
  if (hidden > 0) lines.push(`Not shown: ${plural(hidden, 'row')} without GPU work of their own.`);
  if (format === 'markdown') return `${lines.map(line => `${markdownCell(line)}\n\n`).join('')}${table}`;
  return `${lines.map(line => `${oneLine(line)}\n`).join('')}\n${table}`;
}

/** A budget and what became of it, in one line. */
export function budgetLine({budget, place, verdict, text}: BudgetResult): string {
  return `Budget "${budget}" (${place}): ${verdict}. ${text}`;
}

const comparableTexts = {yes: 'Comparable.', partly: 'Partly comparable.', no: 'Not comparable.'} as const;

/** What stands above the table: whether the runs can be compared, and the total. */
export function summaryLines({comparable, total}: Pick<RunComparison, 'comparable' | 'total'>): string[] {
  const per = total.per === 'step' ? ' a step' : '';
  const percent = total.beforeNs > 0 ? `, ${signed((100 * total.deltaNs) / total.beforeNs, 1)} %` : '';
  const noise = total.noiseNs === null ? '' : ` ± ${formatDuration(total.noiseNs)}`;
  return [
    comparableTexts[comparable.verdict],
    ...comparable.reasons.map(({text}) => text),
    `GPU work${per}: ${formatDuration(total.beforeNs)} before, ${formatDuration(total.afterNs)} after; ${signedDuration(total.deltaNs)}${noise}${percent}: ${total.verdict}.`,
  ];
}

function columns({per}: ComparisonTotal): readonly Column<ComparisonRow>[] {
  const unit = per === 'step' ? ' a step' : '';
  const time = (
    key: string,
    title: string,
    value: (row: ComparisonRow) => number | null,
    text = signedDuration,
  ): Column<ComparisonRow> => ({key, title, value, text: row => textOr(value(row), text)});
  return [
    {key: 'kind', title: 'Kind', value: ({kind}) => kind},
    {key: 'path', title: 'Path', value: ({path}) => path, text: ({path}) => shortenMiddle(path, widestPath)},
    time('beforeGpuWorkNs', `Before${unit}`, ({before}) => before.gpuWorkNs, formatDuration),
    time('afterGpuWorkNs', `After${unit}`, ({after}) => after.gpuWorkNs, formatDuration),
    time('deltaNs', 'Change', ({deltaNs}) => deltaNs),
    {
      ...{key: 'deltaPercent', title: 'Change (%)', value: ({deltaPercent}) => deltaPercent},
      text: ({deltaPercent}) => textOr(deltaPercent, percent => signed(percent, 1)),
    },
    time(
      'noiseNs',
      'Noise',
      ({noiseNs}) => noiseNs,
      ns => `± ${formatDuration(ns)}`,
    ),
    {key: 'verdict', title: 'Verdict', value: ({verdict}) => verdict},
    count('beforeCount', `Calls before${unit}`, ({before}) => before.count),
    count('afterCount', `Calls after${unit}`, ({after}) => after.count),
    time('callsDeltaNs', 'By calls', ({callsDeltaNs}) => callsDeltaNs),
    time('perCallDeltaNs', 'By time a call', ({perCallDeltaNs}) => perCallDeltaNs),
    {key: 'matchedBy', title: 'Matched by', value: ({matchedBy}) => matchedBy},
  ];
}

function count(key: string, title: string, value: (row: ComparisonRow) => number): Column<ComparisonRow> {
  return {key, title, value, text: row => countText(value(row))};
}

/** Calls per step can be fractions. */
function countText(calls: number): string {
  return Number.isInteger(calls) ? formatCount(calls) : calls.toFixed(2);
}

function textOr(value: number | null, text: (value: number) => string): string {
  return value === null ? '' : text(value);
}

/** `+1.20 ms`, `−3.00 µs`; nothing has no sign. */
export function signedDuration(ns: number): string {
  if (ns === 0) return formatDuration(0);
  return `${ns > 0 ? '+' : '−'}${formatDuration(Math.abs(ns))}`;
}

function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals);
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`;
}

/** A matrix of runs in one of the output formats. @param files what the runs are called */
export function matrixText({runs, rows}: RunMatrix, files: readonly string[], format: OutputFormat): string {
  const named = runs.map((run, at) => ({file: files[at] ?? '', ...run}));
  const fileOf = (run: number | null) => (run === null ? null : (files[run] ?? null));
  if (format === 'json') return `${JSON.stringify({runs: named, rows}, null, 2)}\n`;
  type Row = (typeof rows)[number];
  const mark = ({best, worst}: Row, run: number) => (run === best ? ' (best)' : run === worst ? ' (worst)' : '');
  const matrixColumns: Column<Row>[] = [
    {key: 'kind', title: 'Kind', value: ({kind}) => kind},
    {key: 'path', title: 'Path', value: ({path}) => path, text: ({path}) => shortenMiddle(path, widestPath)},
    ...named.map(({file}, run): Column<Row> => ({
      ...{key: `${file} (ns)`, title: file, value: ({values}) => values[run] ?? null},
      text: row => textOr(row.values[run] ?? null, ns => formatDuration(ns) + mark(row, run)),
    })),
    {key: 'best', title: 'Best', value: ({best}) => fileOf(best)},
    {key: 'worst', title: 'Worst', value: ({worst}) => fileOf(worst)},
  ];
  return formatRows(rows, matrixColumns, format);
}
