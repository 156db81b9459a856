import type {Evidence, Finding} from '../core/findings/finding.js';
import {formatCount} from '../core/format/count.js';
import {csvCell, markdownCell, oneLine} from '../core/format/cells.js';
import {formatDuration} from '../core/format/duration.js';
import {formatQuantity} from '../core/format/quantity.js';
import type {OutputFormat} from './report.js';

/** Findings in one of the output formats; JSON as docs/command-line.md has it. */
export function findingsText(findings: readonly Finding[], format: OutputFormat): string {
  switch (format) {
    case 'json':
      return `${JSON.stringify(findings.map(asJson), null, 2)}\n`;
    case 'csv':
      return csvText(findings);
    case 'markdown':
      return findings.length === 0 ? `${nothing}\n` : findings.map(markdownText).join('\n');
    case 'table':
      return findings.length === 0 ? `${nothing}\n` : findings.map(plainText).join('\n');
  }
}

const nothing = 'Nothing stands out: no rule found anything above its threshold.';

function asJson({gainAtMostNs, file, line, ...finding}: Finding) {
  return {...finding, gainAtMostNs, predictedGainNs: null, file, line};
}

/** A row for each number. */
function csvText(findings: readonly Finding[]): string {
  const head = 'rule,severity,title,gainAtMostNs,file,line,evidence,value,unit,query\n';
  const rows = findings.flatMap(({rule, severity, title, gainAtMostNs, file, line, evidence}) =>
    evidence.map(({text, value, unit, query}) => [
      rule,
      severity,
      title,
      gainAtMostNs ?? '',
      file ?? '',
      line ?? '',
      text,
      value,
      unit,
      query,
    ]),
  );
  return head + rows.map(cells => `${cells.map(cell => csvCell(String(cell))).join(',')}\n`).join('');
}

function plainText(finding: Finding): string {
  const lines = [
    `${finding.severity.padEnd(6)}  ${finding.title}`,
    ...finding.evidence.map(evidence => `          ${evidence.text}: ${valueText(evidence)}`),
    ...(finding.gainAtMostNs === null
      ? []
      : [`        At most ${formatDuration(finding.gainAtMostNs)} can be gained.`]),
    ...(finding.file === null ? [] : [`        ${placeText(finding)}`]),
    `        ${finding.advice}`,
  ];
  return `${lines.map(oneLine).join('\n')}\n`;
}

function markdownText(finding: Finding): string {
  const gain = finding.gainAtMostNs === null ? '' : ` At most ${formatDuration(finding.gainAtMostNs)} can be gained.`;
  const place = finding.file === null ? '' : ` (${markdownCell(oneLine(placeText(finding)))})`;
  const rows = finding.evidence.map(
    evidence => `| ${markdownCell(oneLine(evidence.text))} | ${valueText(evidence)} |\n`,
  );
  return [
    `### ${markdownCell(oneLine(finding.title))}\n\n`,
    `Severity: ${finding.severity}.${gain}${place}\n\n`,
    `| Evidence | Value |\n| --- | ---: |\n${rows.join('')}\n`,
    `${markdownCell(oneLine(finding.advice))}${finding.link === null ? '' : ` [More](${finding.link})`}\n`,
  ].join('');
}

const placeText = ({file, line}: Finding): string => `${file ?? ''}${line === null ? '' : `:${String(line)}`}`;

/** A number of evidence as people read it. */
function valueText({value, unit}: Evidence): string {
  switch (unit) {
    case 'ns':
      return formatDuration(value);
    case 'bytes':
      return formatQuantity(value, 'B');
    case 'percent':
      return `${String(value)} %`;
    case 'count':
      return formatCount(value);
    case 'ratio':
      return String(value);
  }
}
