import {verdictText} from '../flame/verdict-text.js';
import {counted} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {callsText, signedDuration, signedPercent} from '../format/signed.js';
import {say, template} from '../base/say.js';
import {bucketText} from '../names/bucket-name.js';
import {matchedByText, matchedText, rowsWithWork} from './comparison-text.js';
import type {ComparisonRow, RunComparison} from './run-comparison.js';
import {workKinds, type WorkKind} from '../gpu-work/work-groups.js';

/** A column of a table of changes. */
export interface ChangeColumn {
  readonly title: string;
  /** Whether it is not a figure: the path, the verdict, and what was matched. */
  readonly isText: boolean;
  /** Whether its text is the row's verdict, which is emphasised where a change was found. */
  readonly isVerdict?: boolean;
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

/** The titles of the tables, by kind: templates. */
const kindTitles: Readonly<Record<WorkKind, string>> = {
  range: template('Ranges'),
  module: template('Modules'),
  op: template('Operators'),
  class: template('Kernel classes'),
  kernel: template('Kernels'),
};

/** Returns the title of a table of rows of one kind. */
export const kindTitle = (kind: WorkKind): string => say(kindTitles[kind]);

/** Returns the text below the tables of a page. */
export const sumsText = (): string =>
  say(
    'The rows of each table add up to the change of the total. "By calls" is the part that more or fewer calls explain.',
  );

/**
 * Returns a table for each kind that has a row that is not a bucket. Many profiles have none for modules.
 *
 * @param mostRows the largest number of rows of each kind
 */
export function comparisonSections(comparison: RunComparison, mostRows = mostOnPage): ComparisonSection[] {
  const columns = columnsOf(comparison.total.per === 'step');
  return workKinds.flatMap(kind => {
    const rows = rowsWithWork(comparison.rows.filter(row => row.kind === kind));
    if (rows.every(({path}) => path.startsWith('('))) return [];
    const [shown, rest] = [rows.slice(0, mostRows), rows.slice(mostRows)];
    return [{title: kindTitle(kind), columns, rows: shown, rest: restText(rest)}];
  });
}

/** Returns whether a change was found in a row. */
export function isFound({verdict}: ComparisonRow): boolean {
  return verdict === 'faster' || verdict === 'slower';
}

function columnsOf(isPerStep: boolean): ChangeColumn[] {
  const words = (title: string, text: ChangeColumn['text']) => ({title, isText: true, text, value: () => null});
  const figures = (title: string, text: ChangeColumn['text'], value: ChangeColumn['value']) => ({
    ...{title, isText: false, text, value},
  });
  const ns = (title: string, value: (row: ComparisonRow) => number, format = signedDuration) =>
    figures(title, row => format(value(row)), value);
  return [
    words('', ({path}) => shortenMiddle(bucketText(path), widestPath)),
    ns(isPerStep ? say('Before, per step') : say('Before'), ({before}) => before.gpuWorkNs, formatDuration),
    ns(isPerStep ? say('After, per step') : say('After'), ({after}) => after.gpuWorkNs, formatDuration),
    ns(say('Change'), ({deltaNs}) => deltaNs),
    figures(
      '%',
      ({deltaPercent}) => (deltaPercent === null ? '' : signedPercent(deltaPercent)),
      ({deltaPercent}) => deltaPercent,
    ),
    figures(
      say('Noise'),
      ({noiseNs}) => (noiseNs === null ? '' : `± ${formatDuration(noiseNs)}`),
      ({noiseNs}) => noiseNs,
    ),
    {...words(say('Verdict'), ({verdict}) => verdictText(verdict)), isVerdict: true},
    figures(
      say('Calls'),
      ({before, after}) => [...new Set([before.count, after.count])].map(callsText).join(' → '),
      ({after}) => after.count,
    ),
    ns(say('By calls'), ({callsDeltaNs}) => callsDeltaNs),
    ns(say('By time a call'), ({perCallDeltaNs}) => perCallDeltaNs),
    words(say('Matched by'), row =>
      [matchedByText(row.matchedBy), matchedText(row, widestMatched)].filter(text => text !== null).join(': '),
    ),
  ];
}

function restText(rest: readonly ComparisonRow[]): string | null {
  if (rest.length === 0) return null;
  const deltaNs = rest.reduce((sum, row) => sum + row.deltaNs, 0);
  return counted(
    rest.length,
    '{0} more row changed by {1}.',
    '{0} more rows changed by {1} together.',
    signedDuration(deltaNs),
  );
}
