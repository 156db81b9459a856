import {plural} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {callsText, signedDuration, signedPercent} from '../format/signed.js';
import {matchedText, rowsWithWork} from './comparison-text.js';
import type {ComparisonRow, RunComparison} from './run-comparison.js';
import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** A column of a table of changes. */
export interface ChangeColumn {
  readonly title: string;
  /** Whether it is not a figure: the path, the verdict, and what was matched. */
  readonly isText: boolean;
  readonly text: (row: ComparisonRow) => string;
  /** The figure by which rows are sorted; null if there is none. */
  readonly value: (row: ComparisonRow) => number | null;
}

/** A table of a page: the rows of one kind that changed most. */
export interface ComparisonSection {
  readonly title: string;
  readonly columns: readonly ChangeColumn[];
  readonly rows: readonly ComparisonRow[];
  /** The sum of the omitted rows; null if none are omitted. */
  readonly rest: string | null;
}

/** A page shows the rows that changed most. The command line and the view, which can be filtered, show all. */
const mostOnPage = 25;
const widestPath = 90;
const widestMatched = 45;

/** The titles of the tables, by kind. */
export const kindTitles: Readonly<Record<WorkKind, string>> = {
  range: 'Ranges',
  module: 'Modules',
  op: 'Operators',
  class: 'Kernel classes',
  kernel: 'Kernels',
};

/** The text below the tables of a page. */
export const sumsText =
  'Rows of each table add up to the change of the total. "By calls" is what fewer or more calls explain.';

/**
 * Returns a table for each kind that has a row that is not a bucket. Many profiles have none for modules.
 *
 * @param mostRows the largest number of rows of each kind
 */
export function comparisonSections(comparison: RunComparison, mostRows = mostOnPage): ComparisonSection[] {
  const columns = columnsOf(comparison.total.per === 'step' ? ' a step' : '');
  return workKinds.flatMap(kind => {
    const rows = rowsWithWork(comparison.rows.filter(row => row.kind === kind));
    if (rows.every(({path}) => path.startsWith('('))) return [];
    const [shown, rest] = [rows.slice(0, mostRows), rows.slice(mostRows)];
    return [{title: kindTitles[kind], columns, rows: shown, rest: restText(rest)}];
  });
}

/** Returns whether a change was found in a row. */
export function isFound({verdict}: ComparisonRow): boolean {
  return verdict === 'faster' || verdict === 'slower';
}

function columnsOf(per: string): ChangeColumn[] {
  const words = (title: string, text: ChangeColumn['text']) => ({title, isText: true, text, value: () => null});
  const figures = (title: string, text: ChangeColumn['text'], value: ChangeColumn['value']) => ({
    ...{title, isText: false, text, value},
  });
  const ns = (title: string, value: (row: ComparisonRow) => number, format = signedDuration) =>
    figures(title, row => format(value(row)), value);
  return [
    words('', ({path}) => shortenMiddle(path, widestPath)),
    ns(`Before${per}`, ({before}) => before.gpuWorkNs, formatDuration),
    ns(`After${per}`, ({after}) => after.gpuWorkNs, formatDuration),
    ns('Change', ({deltaNs}) => deltaNs),
    figures(
      '%',
      ({deltaPercent}) => (deltaPercent === null ? '' : signedPercent(deltaPercent)),
      ({deltaPercent}) => deltaPercent,
    ),
    figures(
      'Noise',
      ({noiseNs}) => (noiseNs === null ? '' : `± ${formatDuration(noiseNs)}`),
      ({noiseNs}) => noiseNs,
    ),
    words('Verdict', ({verdict}) => verdict),
    figures(
      'Calls',
      ({before, after}) => [...new Set([before.count, after.count])].map(callsText).join(' → '),
      ({after}) => after.count,
    ),
    ns('By calls', ({callsDeltaNs}) => callsDeltaNs),
    ns('By time a call', ({perCallDeltaNs}) => perCallDeltaNs),
    words('Matched by', row => [row.matchedBy ?? '', matchedText(row, widestMatched) ?? ''].filter(Boolean).join(': ')),
  ];
}

function restText(rest: readonly ComparisonRow[]): string | null {
  if (rest.length === 0) return null;
  const deltaNs = rest.reduce((sum, row) => sum + row.deltaNs, 0);
  return `${plural(rest.length, 'more row')} changed by ${signedDuration(deltaNs)} together.`;
}
