import {formatDuration} from '../format/duration.js';
import {markdownTable} from '../format/markdown-table.js';
import {markdownText} from '../format/markdown-text.js';
import {shortenMiddle} from '../format/shorten-middle.js';
import {plural} from '../format/count.js';
import {partTexts, timeParts, type TimePart} from '../summary/time-parts.js';
import type {ExpertLoad} from './expert-loads.js';
import {jobLines, rangesTitle} from './job-lines.js';
import type {JobReport} from './job-report.js';
import type {RankSpread} from './rank-spread.js';

/** A page is read, not searched: the command line has all rows. */
const mostRows = 25;
const widestName = 90;
const mostParts = 8;

/** Returns a job as a page of Markdown: who holds the others up, then ranks, steps, ranges and collectives. */
export function jobPage(report: JobReport): string {
  const {ranks, steps, ranges, collectives, experts} = report;
  const [verdict, ...others] = jobLines(report);
  return [
    `# ${plural(ranks.length, 'rank')} as one job`,
    `**${markdownText(verdict)}**`,
    others.map(line => `- ${markdownText(line.trim())}`).join('\n'),
    ...section(
      'Ranks',
      ['Rank', 'File', 'Clock offset', 'Waits for others'],
      ranks.map(({rank, file, offsetNs, waitNs}) => [
        ...[String(rank), markdownText(shortenMiddle(file, widestName)), formatDuration(offsetNs)],
        waitNs === null ? '' : formatDuration(waitNs),
      ]),
    ),
    ...section(
      'Steps',
      ['Step', ...spreadTitles],
      steps.map(step => [String(step.step), ...spreadCells(step)]),
    ),
    ...section(
      rangesTitle(report.rangesAre),
      ['Range', ...spreadTitles],
      ranges.map(range => [markdownText(shortenMiddle(range.name, widestName)), ...spreadCells(range)]),
    ),
    ...section(
      'Where each rank’s time goes',
      ['Rank', ...shownParts(ranks).map(part => partTexts[part][0])],
      ranks
        .filter(({parts}) => parts.length > 0)
        .map(({rank, parts}) => [
          String(rank),
          ...shownParts(ranks).map(shown => formatDuration(parts.find(({part}) => part === shown)?.ns ?? 0)),
        ]),
    ),
    ...section(
      'Experts: GPU work by layer, the worst balanced first',
      ['Layer', 'Experts', 'Most loaded', 'Its rank', 'Most by mean, experts', 'Most by mean, ranks'],
      experts.map(load => expertCells(load)),
    ),
    ...section(
      'Collectives',
      ['Operation', 'Group', 'Calls', 'Waiting, all ranks', 'Transfer'],
      collectives.map(({name, group, count, waitNs, transferNs}) => [
        ...[name, markdownText(group ?? ''), String(count)],
        ...[Object.values(waitNs).reduce((sum, ns) => sum + ns, 0), transferNs].map(formatDuration),
      ]),
    ),
  ]
    .map(part => `${part}\n`)
    .join('\n');
}

/** The parts that take most over all ranks: a table holds no more. */
function shownParts(ranks: JobReport['ranks']): TimePart[] {
  const totals = new Map<TimePart, number>();
  for (const {parts} of ranks) for (const {part, ns} of parts) totals.set(part, (totals.get(part) ?? 0) + ns);
  const most = [...totals].sort(([, a], [, b]) => b - a).slice(0, mostParts);
  return timeParts.filter(part => most.some(([shown]) => shown === part));
}

function expertCells({layer, experts, expertImbalance, rankImbalance}: ExpertLoad): string[] {
  const [worst] = [...experts].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs);
  const name = layer === '' ? '(no layer named)' : layer;
  return [
    ...[markdownText(shortenMiddle(name, widestName)), String(experts.length), String(worst.expert)],
    ...[String(worst.rank), expertImbalance.toFixed(2), rankImbalance.toFixed(2)],
  ];
}

const spreadTitles = ['Least', 'Median', 'Most', 'Slowest rank'];

function spreadCells({minNs, medianNs, maxNs, slowestRank}: RankSpread): string[] {
  return [...[minNs, medianNs, maxNs].map(formatDuration), String(slowestRank)];
}

/** Nothing without rows; names are left-aligned, figures right. */
function section(title: string, titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [];
  const isNumeric = titles.map((_, at) => at > 0);
  const table = markdownTable(titles, isNumeric, rows.slice(0, mostRows));
  const rest = rows.length - mostRows;
  return [`## ${title}`, table, ...(rest > 0 ? [`${plural(rest, 'more row')}: \`gpu-lens job\` prints all.`] : [])];
}
