import type {Bar} from '../../export/bars-svg.js';
import type {SummaryTable} from '../../export/summary.js';
import {comparisonSections, sumsText} from '../../compare/comparison-sections.js';
import {noiseText, summaryLines} from '../../compare/comparison-text.js';
import {signedDuration} from '../../format/signed.js';
import type {RunComparison} from '../../compare/run-comparison.js';

/** A picture shows the most important bars, not all. */
const mostBars = 20;

/** Returns the facts at the top of a report on a comparison. @param names of the runs, the base first */
export function comparisonFacts(
  comparison: RunComparison,
  [base, changed]: readonly [string, string],
): (readonly [label: string, text: string])[] {
  const [verdict = '', ...others] = summaryLines(comparison);
  const total = others.pop() ?? '';
  return [
    ['Before', base],
    ['After', changed],
    ['Comparable', verdict],
    ...others.map(reason => ['Why', reason] as const),
    ['Total', total],
    ['Noise', noiseText(comparison.noise)],
    ['Sums', sumsText()],
  ];
}

/** Returns a table for each kind of rows, those that changed most first. */
export function comparisonTables(comparison: RunComparison): SummaryTable[] {
  const all = comparison.rows;
  return comparisonSections(comparison).map(({title, columns, rows}) => ({
    title: `What changed: ${title.toLowerCase()}`,
    columns: columns.map(({title: text, isText}) => ({title: text, isNumeric: !isText})),
    rows: rows.map(row => columns.map(({text}) => text(row))),
    length: Math.max(rows.length, all.filter(({kind}) => kind === rows[0]?.kind).length),
  }));
}

/** Returns the rows of the narrowest kind that changed most, with their noise. */
export function comparisonBars(comparison: RunComparison): Bar[] {
  const rows = comparisonSections(comparison).find(section => section.rows.length > 0)?.rows ?? [];
  return rows
    .slice(0, mostBars)
    .filter(({deltaNs}) => deltaNs !== 0)
    .map(({path, deltaNs, noiseNs, verdict}) => ({
      label: path,
      value: deltaNs,
      halfWidth: noiseNs ?? 0,
      text: `${signedDuration(deltaNs)} (${verdict})`,
    }));
}
