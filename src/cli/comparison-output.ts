import type {BudgetResult} from '../core/compare/check-budgets.js';
import {pushAll} from '../core/table/extremes.js';
import {matchedText, noiseText, rowsWithWork, summaryLines, withoutWorkText} from '../core/compare/comparison-text.js';
import type {ComparisonNoise, ComparisonRow, ComparisonTotal, RunComparison} from '../core/compare/run-comparison.js';
import type {RunMatrix} from '../core/compare/run-matrix.js';
import {formatDuration} from '../core/format/duration.js';
import {callsText, signedDuration, signedPercent} from '../core/format/signed.js';
import {shortenMiddle} from '../core/format/shorten-middle.js';
import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** The width of names, because kernels' names can fill a screen. CSV and JSON have whole names. */
const widestPath = 80;
const widestMatched = 45;

/**
 * Returns a comparison of two runs in an output format, with a final line feed.
 *
 * @param budgets the results of the budgets; null if none were checked. CSV has only the rows
 */
export function comparisonText(
  {comparable, total, rows, noise}: RunComparison,
  budgets: readonly BudgetResult[] | null,
  format: OutputFormat,
): string {
  if (format === 'json') {
    return `${JSON.stringify({comparable, total, rows, noise: noiseKeys(noise), ...(budgets && {budgets})}, null, 2)}\n`;
  }
  if (format === 'csv') return formatRows(rows, columns(total), format);
  const table = formatRows(rowsWithWork(rows), columns(total), format);
  const lines = summaryLines({comparable, total});
  lines.push(noiseText(noise));
  const hidden = withoutWorkText(rows);
  pushAll(lines, (budgets ?? []).map(budgetLine));
  if (hidden !== null) lines.push(hidden);
  if (format === 'markdown') return `${lines.map(line => `${markdownCell(line)}\n\n`).join('')}${table}`;
  return `${lines.map(line => `${oneLine(line)}\n`).join('')}\n${table}`;
}

function noiseKeys({from, baseRuns, changedRuns}: ComparisonNoise): Omit<ComparisonNoise, 'betweenRuns'> {
  return {from, baseRuns, changedRuns};
}

/** Returns a budget and its result in one line. */
export function budgetLine({budget, place, verdict, text}: BudgetResult): string {
  return `Budget "${budget}" (${place}): ${verdict}. ${text}`;
}

function columns({per}: ComparisonTotal): readonly Column<ComparisonRow>[] {
  const unit = per === 'step' ? ', per step' : '';
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
      text: ({deltaPercent}) => textOr(deltaPercent, signedPercent),
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
    {
      key: 'matched',
      title: 'Matched',
      value: row => matchedText(row),
      text: row => matchedText(row, widestMatched) ?? '',
    },
  ];
}

function count(key: string, title: string, value: (row: ComparisonRow) => number): Column<ComparisonRow> {
  return {key, title, value, text: row => callsText(value(row))};
}

function textOr(value: number | null, text: (value: number) => string): string {
  return value === null ? '' : text(value);
}

/** A matrix of runs in one of the output formats. @param files names of the runs */
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
