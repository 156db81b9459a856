import {say, template} from '../base/say.js';
import {formatCount} from '../format/count.js';
import {formatDuration} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {formatQuantity} from '../format/quantity.js';
import type {Evidence, Finding, Severity} from './rules/finding.js';

/** The message if no rule found anything. */
export const nothingFound = (): string => say('No findings: nothing is above a rule’s threshold.');

/** The message for a profile without GPU work. */
export const noGpuWork = (): string => say('This profile has no GPU work, which most rules need.');

const severityTexts: Readonly<Record<Severity, string>> = {
  high: template('high'),
  medium: template('medium'),
  low: template('low'),
};

/** Returns the name of a severity. */
export const severityText = (severity: Severity): string => say(severityTexts[severity]);

/** `Severity: high. At most 3 ms can be gained.` */
export function weightText({severity, gainAtMostNs}: Pick<Finding, 'severity' | 'gainAtMostNs'>): string {
  return gainAtMostNs === null
    ? say('Severity: {0}.', severityText(severity))
    : say('Severity: {0}. At most {1} can be gained.', severityText(severity), formatDuration(gainAtMostNs));
}

/** Returns findings as a page of Markdown with a title. @param name the name of the profile */
export function findingsPage({findings, hasGpuWork, notes}: ProfileFindings, name: string): string {
  const before = [...(hasGpuWork ? [] : [noGpuWork()]), ...notes].map(note => `${markdownText(note)}\n\n`);
  return `# ${say('Findings in {0}', markdownText(name))}\n\n${before.join('')}${findingsMarkdown(findings)}`;
}

/** The findings of a profile's rules. */
export interface ProfileFindings {
  readonly findings: readonly Finding[];
  /** Whether most rules have anything to check: GPU operations, or printed tables of them. */
  readonly hasGpuWork: boolean;
  /** A sentence for each rule that could not run, or whose finding is dismissed. */
  readonly notes: readonly string[];
}

/** Returns a section for each finding: its evidence as a table, and the advice. */
export function findingsMarkdown(findings: readonly Finding[]): string {
  return findings.length === 0 ? `${nothingFound()}\n` : findings.map(section).join('\n');
}

function section(finding: Finding): string {
  const {title, file, evidence, advice, link} = finding;
  const place = file === null ? '' : ` ${markdownText(findingPlace(finding))}`;
  const rows = evidence.map(item => [markdownText(item.text), evidenceText(item)]);
  return [
    `### ${markdownText(title)}\n\n`,
    `${weightText(finding)}${place}\n\n`,
    `${markdownTable([say('Evidence'), say('Value')], [false, true], rows)}\n\n`,
    `${markdownText(advice)}${link === null ? '' : ` [${say('More')}](${link})`}\n`,
  ].join('');
}

/** Returns `train.py:12`, or only the file. */
export const findingPlace = ({file, line}: Finding): string =>
  `${file ?? ''}${line === null ? '' : `:${String(line)}`}`;

/** Returns the name of a Python frame at the finding's place, which leads to its line; null without a place. */
export const findingFrame = ({file, line}: Finding): string | null =>
  file === null ? null : `${file}(${String(line ?? 1)}): `;

/** Returns a number of evidence, formatted. */
export function evidenceText({value, unit}: Evidence): string {
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
