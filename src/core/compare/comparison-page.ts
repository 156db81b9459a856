import {say} from '../base/say.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {
  comparisonSections,
  isFound,
  sumsText,
  type ChangeColumn,
  type ComparisonSection,
} from './comparison-sections.js';
import {noiseText, summaryLines} from './comparison-text.js';
import type {ComparisonRow, RunComparison} from './run-comparison.js';

/**
 * Returns a comparison as a page of Markdown: the verdict, then for each kind the rows that changed most.
 *
 * @param names the names of the runs, the base first
 */
export function comparisonPage(comparison: RunComparison, names: readonly [base: string, changed: string]): string {
  const [verdict, ...others] = summaryLines(comparison);
  const total = others.pop() ?? '';
  const [base, changed] = names.map(markdownText);
  return [
    `# ${say('{0} compared with {1}', changed, base)}`,
    `**${markdownText(verdict)}** ${markdownText(total)}`,
    ...(others.length === 0 ? [] : [others.map(reason => `- ${markdownText(reason)}`).join('\n')]),
    ...comparisonSections(comparison).flatMap(sectionText),
    sumsText(),
    noiseText(comparison.noise),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

function sectionText({title, columns, rows, rest}: ComparisonSection): string[] {
  const titles = columns.map(column => column.title);
  const isNumeric = columns.map(({isText}) => !isText);
  const body = rows.map(row => columns.map((column, at) => markdownCell(row, column, at)));
  const table = markdownTable(titles, isNumeric, body);
  return [`## ${title}`, table, ...(rest === null ? [] : [rest])];
}

/** Returns a cell; a change that was found is emphasised. */
function markdownCell(row: ComparisonRow, {text, isVerdict = false}: ChangeColumn, at: number): string {
  if (at === 0) return markdownText(text(row));
  return isVerdict && isFound(row) ? `**${text(row)}**` : text(row);
}
