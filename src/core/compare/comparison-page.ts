import {markdownText} from '../format/markdown-text.js';
import {comparisonSections, sumsText, textColumns, type ComparisonSection} from './comparison-sections.js';
import {noiseText, summaryLines} from './comparison-text.js';
import type {RunComparison} from './run-comparison.js';

/**
 * Returns a comparison as a page of Markdown: the verdict, then for each kind the rows that changed most.
 *
 * @param names what the runs are called, the base first
 */
export function comparisonPage(comparison: RunComparison, names: readonly [base: string, changed: string]): string {
  const [verdict, ...others] = summaryLines(comparison);
  const total = others.pop() ?? '';
  const [base, changed] = names.map(markdownText);
  return [
    `# ${changed} compared with ${base}`,
    `**${markdownText(verdict)}** ${markdownText(total)}`,
    ...(others.length === 0 ? [] : [others.map(reason => `- ${markdownText(reason)}`).join('\n')]),
    ...comparisonSections(comparison).flatMap(sectionText),
    sumsText,
    noiseText(comparison.noise),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

function sectionText({title, columns, rows, rest}: ComparisonSection): string[] {
  const rule = columns.map((_, at) => (textColumns.has(at) ? '---' : '---:'));
  const table = [columns, rule, ...rows.map(({row, cells}) => markdownCells(row.verdict, cells))]
    .map(cells => `| ${cells.join(' | ')} |`)
    .join('\n');
  return [`## ${title}`, table, ...(rest === null ? [] : [rest])];
}

/** A change that was found stands out. */
function markdownCells(verdict: string, [path, ...others]: readonly string[]): string[] {
  const isFound = verdict === 'faster' || verdict === 'slower';
  return [markdownText(path), ...others.map(text => (isFound && text === verdict ? `**${text}**` : text))];
}
