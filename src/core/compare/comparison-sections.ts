import {plural} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {callsText, signedDuration, signedPercent} from '../format/signed.js';
import {rowsWithWork} from './comparison-text.js';
import type {ComparisonRow, RunComparison} from './run-comparison.js';
import {workKinds, type WorkKind} from './work-groups.js';

/** A table of a page for people: the rows of one kind that changed most. */
export interface ComparisonSection {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly {readonly row: ComparisonRow; readonly cells: readonly string[]}[];
  /** What the rows that are left out come to; null if none are. */
  readonly rest: string | null;
}

/** A page is read, not searched: the command line has all rows. */
const mostRows = 25;
const widestPath = 90;

/** What the tables of the kinds are called. */
export const kindTitles: Readonly<Record<WorkKind, string>> = {
  range: 'Ranges',
  module: 'Modules',
  op: 'Operators',
  class: 'Kernel classes',
  kernel: 'Kernels',
};

/** Columns that are no figures: the path and the verdict. */
export const textColumns: ReadonlySet<number> = new Set([0, 6]);

/** What stands below the tables of a page. */
export const sumsText =
  'Rows of each table add up to the change of the total. "By calls" is what fewer or more calls explain.';

/** Returns a table for each kind that has a row besides buckets, which modules of many profiles have not. */
export function comparisonSections(comparison: RunComparison): ComparisonSection[] {
  return workKinds.flatMap(kind => {
    const rows = rowsWithWork(comparison.rows.filter(row => row.kind === kind));
    if (rows.every(({path}) => path.startsWith('('))) return [];
    const per = comparison.total.per === 'step' ? ' a step' : '';
    return [
      {
        title: kindTitles[kind],
        columns: ['', `Before${per}`, `After${per}`, ...changeColumns],
        rows: rows.slice(0, mostRows).map(row => ({row, cells: cellsOf(row)})),
        rest: restText(rows.slice(mostRows)),
      },
    ];
  });
}

const changeColumns = ['Change', '%', 'Noise', 'Verdict', 'Calls', 'By calls', 'By time a call'];

function restText(rest: readonly ComparisonRow[]): string | null {
  if (rest.length === 0) return null;
  const deltaNs = rest.reduce((sum, row) => sum + row.deltaNs, 0);
  return `${plural(rest.length, 'more row')} changed by ${signedDuration(deltaNs)} together.`;
}

function cellsOf(row: ComparisonRow): string[] {
  const {path, before, after, deltaNs, deltaPercent, noiseNs, verdict} = row;
  return [
    shortenMiddle(path, widestPath),
    formatDuration(before.gpuWorkNs),
    formatDuration(after.gpuWorkNs),
    signedDuration(deltaNs),
    deltaPercent === null ? '' : signedPercent(deltaPercent),
    noiseNs === null ? '' : `± ${formatDuration(noiseNs)}`,
    verdict,
    before.count === after.count ? callsText(after.count) : `${callsText(before.count)} → ${callsText(after.count)}`,
    signedDuration(row.callsDeltaNs),
    signedDuration(row.perCallDeltaNs),
  ];
}
