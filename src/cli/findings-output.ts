import type {Finding} from '../core/findings/rules/finding.js';
import {evidenceText, findingPlace, findingsMarkdown, nothingFound} from '../core/findings/findings-page.js';
import {csvCell, oneLine} from '../core/format/cells.js';
import {formatDuration} from '../core/format/duration.js';
import type {OutputFormat} from './report.js';

/**
 * Findings in one of the output formats; JSON as docs/command-line.md has it.
 *
 * @param gains the predicted gain of fixing each, ns; null if unknown
 */
export function findingsText(
  findings: readonly Finding[],
  gains: readonly (number | null)[],
  format: OutputFormat,
): string {
  const gainOf = (at: number) => gains.at(at) ?? null;
  switch (format) {
    case 'json':
      return `${JSON.stringify(
        findings.map((finding, at) => asJson(finding, gainOf(at))),
        null,
        2,
      )}\n`;
    case 'csv':
      return csvText(findings);
    case 'markdown':
      return findingsMarkdown(findings);
    case 'table':
      return findings.length === 0
        ? `${nothingFound()}\n`
        : findings.map((finding, at) => plainText(finding, gainOf(at))).join('\n');
  }
}

function asJson({gainAtMostNs, file, line, ...finding}: Finding, predictedGainNs: number | null) {
  return {...finding, gainAtMostNs, predictedGainNs, file, line};
}

/** A row for each number. */
function csvText(findings: readonly Finding[]): string {
  const head = 'rule,severity,title,gainAtMostNs,file,line,evidence,value,unit,query\n';
  const rows = findings.flatMap(({rule, severity, title, gainAtMostNs, file, line, evidence}) =>
    evidence.map(({text, value, unit, query}) => {
      const finding = [rule, severity, title, gainAtMostNs ?? '', file ?? '', line ?? ''];
      return [...finding, text, value, unit, query];
    }),
  );
  return head + rows.map(cells => `${cells.map(cell => csvCell(String(cell))).join(',')}\n`).join('');
}

function plainText(finding: Finding, predictedGainNs: number | null): string {
  const {severity, title, evidence, gainAtMostNs, file, advice} = finding;
  const lines = [
    `${severity.padEnd(6)}  ${title}`,
    ...evidence.map(item => `          ${item.text}: ${evidenceText(item)}`),
    ...(gainAtMostNs === null ? [] : [`        At most ${formatDuration(gainAtMostNs)} can be gained.`]),
    ...(predictedGainNs === null ? [] : [`        A replay predicts a gain of ${formatDuration(predictedGainNs)}.`]),
    ...(file === null ? [] : [`        ${findingPlace(finding)}`]),
    `        ${advice}`,
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}
