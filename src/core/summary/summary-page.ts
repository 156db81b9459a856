import {say} from '../base/say.js';
import {findingPlace, evidenceText, nothingFound} from '../findings/findings-page.js';
import type {Finding} from '../findings/rules/finding.js';
import {markdownCell} from '../format/cells.js';
import {formatCount} from '../format/count.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import type {TraceInfo} from '../questions/info.js';
import {partRows, splitNotes, splitTitle, summaryFacts, summaryHeadline} from './summary-text.js';
import type {TopList} from './summary-tops.js';
import type {TimeSummary} from './time-summary.js';

/** The number of displayed findings. */
export const shownFindings = 3;

/** Returns a summary as a page of Markdown. @param findings null if unknown */
export function summaryPage(
  name: string,
  info: TraceInfo,
  summary: TimeSummary,
  findings: readonly Finding[] | null,
): string {
  const headline = summaryHeadline(summary).map(
    ({figure, label, detail}) => `- **${figure}** ${label} (${markdownCell(detail)})\n`,
  );
  const rows = partRows(summary, null).map(({title, time, share}) => [title, time, share]);
  return [
    `# ${markdownCell(name)}\n\n${markdownCell(summaryFacts(summary, info).join(' · '))}\n\n`,
    `${headline.join('')}\n`,
    findings === null ? '' : `## ${say('What stands out')}\n\n${findingLines(findings)}\n`,
    `## ${splitTitle(summary, null)}\n\n${markdownTable([say('Part'), say('Time'), say('Share')], [false, true, true], rows)}\n\n`,
    splitNotes(summary)
      .map(note => `${markdownCell(note)}\n\n`)
      .join(''),
    ...summary.tops.map(topTable),
  ].join('');
}

function findingLines(findings: readonly Finding[]): string {
  if (findings.length === 0) return `${nothingFound()}\n`;
  return findings
    .slice(0, shownFindings)
    .map(finding => `- ${markdownCell(findingText(finding))}\n`)
    .join('');
}

/** Returns a finding in a sentence or two: its title, first evidence, and place. */
function findingText(finding: Finding): string {
  const {title, evidence} = finding;
  const first = evidence.at(0);
  const told = first ? ` ${first.text}: ${evidenceText(first)}.` : '';
  const place = finding.file === null ? '' : ` ${findingPlace(finding)}`;
  return `${title}${/[.!?]$/.test(title) ? '' : '.'}${told}${place}`;
}

function topTable({title, measure, allNs, rows}: TopList): string {
  const cells = rows.map(({name, ns, count}) => [
    markdownCell(name),
    formatDuration(ns),
    formatPercent(ns, allNs),
    formatCount(count),
  ]);
  const table = markdownTable([say('Name'), measure, say('Share'), say('Count')], [false, true, true, true], cells);
  return `## ${title}\n\n${table}\n\n`;
}
