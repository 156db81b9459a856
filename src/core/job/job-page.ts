import {say} from '../base/say.js';
import {formatDuration, formatPercent} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {counted} from '../format/count.js';
import {partTitle, timeParts, type TimePart} from '../summary/time-parts.js';
import type {ExpertLoad} from './expert-loads.js';
import {expertsTitle, jobLines, kernelsTitle, rangesTitle} from './job-lines.js';
import type {JobReport, ReportedRank} from './job-report.js';
import type {RankSpread} from './rank-spread.js';

/** A page shows the first rows; the command line prints all. */
const mostRows = 25;
const widestName = 90;
const mostParts = 8;

/** Returns a job as a page of Markdown: the rank that delays the others, then ranks, steps, ranges and collectives. */
export function jobPage(report: JobReport): string {
  const {ranks, steps, ranges, kernels, collectives, experts} = report;
  const [verdict, ...others] = jobLines(report);
  return [
    `# ${counted(ranks.length, '{0} rank as one job', '{0} ranks as one job')}`,
    `**${markdownText(verdict)}**`,
    others.map(line => `- ${markdownText(line.trim())}`).join('\n'),
    ...section(
      say('Ranks'),
      [
        ...[say('Rank'), say('Host'), say('GPU'), say('File'), say('Steps')],
        ...[say('Clock offset'), say('Residual'), say('Waits for others')],
      ],
      ranks.map(rankCells),
      3,
    ),
    ...section(
      say('Communication while the GPU computes'),
      [say('Rank'), say('Communication'), say('While computing'), say('Overlap')],
      ranks.flatMap(({rank, overlap}) => {
        if (overlap === null) return [];
        const {communicationNs, overlapNs} = overlap;
        const times = [communicationNs, overlapNs].map(formatDuration);
        return [[String(rank), ...times, formatPercent(overlapNs, communicationNs)]];
      }),
    ),
    ...section(
      say('Steps'),
      [say('Step'), ...spreadTitles()],
      steps.map(step => [String(step.step), ...spreadCells(step)]),
    ),
    ...section(
      rangesTitle(report.rangesAre),
      [say('Range'), ...spreadTitles()],
      ranges.map(range => [markdownText(shortenMiddle(range.name, widestName)), ...spreadCells(range)]),
    ),
    ...section(
      kernelsTitle(report.rangesAre),
      [say('Kernel'), ...spreadTitles(), say('Spread'), say('Calls')],
      kernels.map(kernel => [
        ...[markdownText(shortenMiddle(kernel.name, widestName)), ...spreadCells(kernel)],
        ...[formatDuration(kernel.spreadNs), String(kernel.count)],
      ]),
    ),
    ...section(
      say('Where each rank’s time goes'),
      [say('Rank'), ...shownParts(ranks).map(part => partTitle(part))],
      ranks
        .filter(({parts}) => parts.length > 0)
        .map(({rank, parts}) => [
          String(rank),
          ...shownParts(ranks).map(shown => formatDuration(parts.find(({part}) => part === shown)?.ns ?? 0)),
        ]),
    ),
    ...section(
      expertsTitle(report.rangesAre),
      [
        ...[say('Layer'), say('Experts'), say('Most loaded'), say('Its rank')],
        ...[say('Most by mean, experts'), say('Most by mean, ranks')],
      ],
      experts.map(load => expertCells(load)),
    ),
    ...section(
      say('Collectives'),
      [say('Operation'), say('Group'), say('Calls'), say('Waiting, all ranks'), say('Transfer')],
      collectives.map(({name, group, count, waitNs, transferNs}) => [
        ...[name, markdownText(group ?? ''), String(count)],
        ...[Object.values(waitNs).reduce((sum, ns) => sum + ns, 0), transferNs].map(formatDuration),
      ]),
    ),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

/** Returns the parts that take most over all ranks, as many as fit the table. */
function shownParts(ranks: JobReport['ranks']): TimePart[] {
  const totals = new Map<TimePart, number>();
  for (const {parts} of ranks) for (const {part, ns} of parts) totals.set(part, (totals.get(part) ?? 0) + ns);
  const most = [...totals].sort(([, a], [, b]) => b - a).slice(0, mostParts);
  return timeParts.filter(part => most.some(([shown]) => shown === part));
}

function expertCells({layer, experts, expertImbalance, rankImbalance}: ExpertLoad): string[] {
  const [worst] = [...experts].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
  const name = layer === '' ? say('(no layer named)') : layer;
  return [
    ...[markdownText(shortenMiddle(name, widestName)), String(experts.length), String(worst.expert)],
    ...[String(worst.rank), expertImbalance.toFixed(2), rankImbalance.toFixed(2)],
  ];
}

const spreadTitles = () => [say('Least'), say('Median'), say('Most'), say('Slowest rank')];

function spreadCells({minNs, medianNs, maxNs, slowestRank}: RankSpread): string[] {
  return [...[minNs, medianNs, maxNs].map(formatDuration), String(slowestRank)];
}

function rankCells({rank, host, device, file, steps, offsetNs, residualNs, waitNs}: ReportedRank): string[] {
  const names = [host ?? '', device ?? '', shortenMiddle(file, widestName)].map(markdownText);
  const times = [offsetNs, residualNs, waitNs].map(ns => (ns === null ? '' : formatDuration(ns)));
  return [String(rank), ...names, String(steps), ...times];
}

/**
 * Returns a titled table, or nothing without rows. Names are left-aligned, figures right-aligned.
 *
 * @param lastName position of the last column that holds names
 */
function section(
  title: string,
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  lastName = 0,
): string[] {
  if (rows.length === 0) return [];
  const isNumeric = titles.map((_, at) => at > lastName);
  const table = markdownTable(titles, isNumeric, rows.slice(0, mostRows));
  const rest = rows.length - mostRows;
  return [
    `## ${title}`,
    table,
    ...(rest > 0
      ? [counted(rest, '{0} more row: `gpu-lens job` prints all.', '{0} more rows: `gpu-lens job` prints all.')]
      : []),
  ];
}
