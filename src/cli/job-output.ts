import {formatDuration} from '../core/format/duration.js';
import {markdownCell, oneLine} from '../core/format/cells.js';
import {formatPercent} from '../core/format/duration.js';
import {shortenMiddle} from '../core/format/shorten-middle.js';
import {expertsTitle, jobLines, kernelsTitle, rangesTitle, workText} from '../core/job/job-lines.js';
import type {KernelSpread} from '../core/job/kernel-spread.js';
import type {RankOverlap} from '../core/job/rank-overlap.js';
import type {CollectiveWaits} from '../core/job/call-waits.js';
import {formatRate, linkText, shareText} from '../core/job/link-text.js';
import type {ExpertLoad} from '../core/job/expert-loads.js';
import type {GroupedExperts} from '../core/job/grouped-experts.js';
import type {JobReport, ReportedRank} from '../core/job/job-report.js';
import type {LayerExchange} from '../core/job/layer-exchanges.js';
import type {RangeSpread, RankSpread, StepSpread} from '../core/job/rank-spread.js';
import {formatRows, type Column, type OutputFormat} from './report.js';

/** What rows can be of. */
export const jobParts = [
  ...(['rank', 'step', 'range', 'kernel', 'collective', 'overlap', 'expert', 'grouped', 'exchange'] as const),
] as const;
export type JobPart = (typeof jobParts)[number];

/** A screen holds no more of each; the other formats have all. */
const mostRows = 20;
/** Names of kernels have hundreds of letters; CSV and JSON have them whole. */
const widestName = 90;

/**
 * A job in one of the output formats, with a final line feed.
 *
 * @param part the rows to write; null for all, of which CSV can have one kind: ranks
 */
export function jobText(report: JobReport, part: JobPart | null, format: OutputFormat): string {
  if (format === 'json') return `${JSON.stringify(contractOf(report), null, 2)}\n`;
  if (format === 'csv') return tableOf(report, part ?? 'rank', format, Infinity);
  const parts = part === null ? jobParts.filter(one => rowsOf(report, one).length > 0) : [part];
  const limit = part === null && format === 'table' ? mostRows : Infinity;
  const lines = jobLines(report);
  const tables = parts.map(one => `${headline(report, one, limit, format)}\n\n${tableOf(report, one, format, limit)}`);
  const text =
    format === 'markdown'
      ? lines.map(line => `${markdownCell(line)}\n`).join('\n')
      : lines.map(line => `${oneLine(line)}\n`).join('');
  return [text, ...tables].join('\n');
}

/** The keys that programs read. */
function contractOf(report: JobReport): unknown {
  const {ranks, missing, alignedBy, culprit, steps, ranges, kernels, collectives} = report;
  const {experts, grouped, exchanges, notes} = report;
  const titles = [
    {code: 'job/ranges', text: `${rangesTitle(report.rangesAre)}.`, rows: ranges},
    {code: 'job/kernels', text: `${kernelsTitle(report.rangesAre)}.`, rows: kernels},
    {code: 'job/experts', text: `${expertsTitle(report.rangesAre)}.`, rows: experts},
  ];
  const spread = ({minNs, medianNs, maxNs, slowestRank}: RankSpread) => ({minNs, medianNs, maxNs, slowestRank});
  return {
    ranks: ranks.map(({rank, host, file, offsetNs, residualNs}) => ({rank, host, file, offsetNs, residualNs})),
    ...{missing, alignedBy, culprit},
    steps: steps.map(({step, ...over}) => ({step, ...spread(over)})),
    ranges: ranges.map(({name, ...over}) => ({name, ...spread(over)})),
    kernels: kernels.map(({name, spreadNs, count, ...over}) => ({
      ...{name, ...spread(over), spreadNs, ranks: over.ranks, count},
    })),
    collectives: collectives.map(collectiveKeys),
    overlap: overlapRows(report).map(({rank, communicationNs, overlapNs}) => ({
      ...{rank, communicationNs, overlapNs, overlapPercent: (100 * overlapNs) / communicationNs},
    })),
    ...{experts, grouped, exchanges},
    notes: [...notes, ...titles.filter(({rows}) => rows.length > 0).map(({code, text}) => ({code, text}))],
  };
}

type OverlapRow = RankOverlap & {readonly rank: number};

function overlapRows({ranks}: JobReport): OverlapRow[] {
  return ranks.flatMap(({rank, overlap}) => (overlap === null ? [] : [{rank, ...overlap}]));
}

function collectiveKeys(calls: CollectiveWaits): unknown {
  const {name, group, count, bytes, waitNs, transferNs} = calls;
  const {algorithmBytesPerSecond, busBytesPerSecond, link, shareOfLink} = calls;
  return {
    ...{name, group, count, bytes, waitNs, transferNs},
    ...{algorithmBytesPerSecond, busBytesPerSecond, link, shareOfLink},
  };
}

function headline(report: JobReport, part: JobPart, limit: number, format: OutputFormat): string {
  const titles: Readonly<Record<JobPart, string>> = {
    rank: 'Ranks',
    step: 'Steps: time over the ranks',
    range: rangesTitle(report.rangesAre),
    kernel: kernelsTitle(report.rangesAre),
    overlap: 'Communication, and how much of it runs while the GPU computes',
    collective: 'Collectives: waiting, exposed and hidden time are summed over the ranks',
    expert: expertsTitle(report.rangesAre),
    grouped: 'Experts in grouped products: tokens by layer, the worst balanced first',
    exchange: 'All-to-all by the layer that called it',
  };
  const rows = rowsOf(report, part).length;
  const cut = rows > limit ? ` (${String(limit)} of ${String(rows)}; --by ${part} prints all)` : '';
  return `${format === 'markdown' ? '## ' : ''}${titles[part]}${cut}`;
}

function rowsOf(report: JobReport, part: JobPart): readonly unknown[] {
  const {ranks, steps, ranges, kernels, collectives, experts, grouped, exchanges} = report;
  const others = {kernel: kernels, overlap: overlapRows(report), expert: experts, grouped, exchange: exchanges};
  return {rank: ranks, step: steps, range: ranges, collective: collectives, ...others}[part];
}

function tableOf(report: JobReport, part: JobPart, format: OutputFormat, limit: number): string {
  switch (part) {
    case 'rank':
      return formatRows(report.ranks.slice(0, limit), rankColumns, format);
    case 'step':
      return formatRows(report.steps.slice(0, limit), [stepColumn, ...spreadColumns<StepSpread>()], format);
    case 'range':
      return formatRows(report.ranges.slice(0, limit), [nameColumn, ...spreadColumns<RangeSpread>()], format);
    case 'kernel':
      return formatRows(report.kernels.slice(0, limit), kernelColumns, format);
    case 'overlap':
      return formatRows(overlapRows(report).slice(0, limit), overlapColumns, format);
    case 'collective':
      return formatRows(report.collectives.slice(0, limit), collectiveColumns, format);
    case 'expert':
      return formatRows(report.experts.slice(0, limit), expertColumns(report), format);
    case 'grouped':
      return formatRows(report.grouped.slice(0, limit), groupedColumns, format);
    case 'exchange':
      return formatRows(report.exchanges.slice(0, limit), exchangeColumns, format);
  }
}

function time<Row>(key: string, title: string, value: (row: Row) => number | null): Column<Row> {
  const text = (row: Row) => {
    const ns = value(row);
    return ns === null ? '' : formatDuration(ns);
  };
  return {key, title, value, text};
}

const rankColumns: readonly Column<ReportedRank>[] = [
  {key: 'rank', title: 'Rank', value: ({rank}) => rank},
  {key: 'host', title: 'Host', value: ({host}) => host},
  {key: 'device', title: 'GPU', value: ({device}) => device},
  {key: 'file', title: 'File', value: ({file}) => file},
  {key: 'steps', title: 'Steps', value: ({steps}) => steps},
  time('offsetNs', 'Clock offset', ({offsetNs}) => offsetNs),
  {key: 'driftPpm', title: 'Drift (ppm)', value: row => row.driftPpm, text: row => row.driftPpm.toFixed(3)},
  time('residualNs', 'Residual', ({residualNs}) => residualNs),
  time('waitNs', 'Waits for others', ({waitNs}) => waitNs),
];

const stepColumn: Column<StepSpread> = {key: 'step', title: 'Step', value: ({step}) => step};
const nameColumn: Column<RangeSpread> = {key: 'name', title: 'Range', value: ({name}) => name};

function spreadColumns<Row extends RankSpread>(): readonly Column<Row>[] {
  return [
    time('minNs', 'Least', ({minNs}) => minNs),
    time('medianNs', 'Median', ({medianNs}) => medianNs),
    time('maxNs', 'Most', ({maxNs}) => maxNs),
    {key: 'slowestRank', title: 'Slowest rank', value: ({slowestRank}) => slowestRank},
    {key: 'ranks', title: 'Ranks', value: ({ranks}) => ranks},
  ];
}

const kernelColumns: readonly Column<KernelSpread>[] = [
  {key: 'name', title: 'Kernel', value: ({name}) => name, text: ({name}) => shortenMiddle(name, widestName)},
  ...spreadColumns<KernelSpread>(),
  time('spreadNs', 'Spread', ({spreadNs}) => spreadNs),
  {key: 'count', title: 'Calls', value: ({count}) => count},
];

const overlapColumns: readonly Column<OverlapRow>[] = [
  {key: 'rank', title: 'Rank', value: ({rank}) => rank},
  time('communicationNs', 'Communication', ({communicationNs}) => communicationNs),
  time('overlapNs', 'While computing', ({overlapNs}) => overlapNs),
  {
    ...{key: 'overlapPercent', title: 'Overlap', value: row => (100 * row.overlapNs) / row.communicationNs},
    text: ({overlapNs, communicationNs}) => formatPercent(overlapNs, communicationNs),
  },
];

const collectiveColumns: readonly Column<CollectiveWaits>[] = [
  {key: 'name', title: 'Collective', value: ({name}) => name},
  {key: 'group', title: 'Group', value: ({group}) => group},
  {key: 'count', title: 'Calls', value: ({count}) => count},
  {key: 'wholeCount', title: 'With all ranks', value: ({wholeCount}) => wholeCount},
  {key: 'bytes', title: 'Bytes', value: ({bytes}) => bytes},
  time('waitNs', 'Waiting', ({waitNs}) => Object.values(waitNs).reduce((sum, ns) => sum + ns, 0)),
  time('transferNs', 'Transfer', ({transferNs}) => transferNs),
  time('exposedNs', 'Exposed', ({exposedNs}) => exposedNs),
  time('hiddenNs', 'Hidden', ({busyNs, exposedNs}) => (exposedNs === null ? null : busyNs - exposedNs)),
  rate('algorithmBytesPerSecond', 'Algorithm', row => row.algorithmBytesPerSecond),
  rate('busBytesPerSecond', 'Bus', row => row.busBytesPerSecond),
  {key: 'link', title: 'Link', value: ({link}) => link?.name ?? null, text: linkText},
  rate('linkBytesPerSecond', 'Link, one way', ({link}) => link?.bytesPerSecond ?? null),
  {key: 'shareOfLink', title: 'Bus by link', value: row => row.shareOfLink, text: shareText},
];

function expertColumns({rangesAre: {measure}}: JobReport): readonly Column<ExpertLoad>[] {
  return [
    {key: 'layer', title: 'Layer', value: ({layer}) => layer},
    {key: 'experts', title: 'Experts', value: ({experts}) => experts.length},
    {key: 'mostLoaded', title: 'Most loaded', value: ({experts}) => mostLoaded(experts)?.expert ?? null},
    {key: 'itsRank', title: 'Its rank', value: ({experts}) => mostLoaded(experts)?.rank ?? null},
    time(
      measure === 'gpuWork' ? 'itsGpuWorkNs' : 'itsCpuWallNs',
      `Its ${workText(measure)}`,
      ({experts}) => mostLoaded(experts)?.gpuWorkNs ?? null,
    ),
    ratio('expertImbalance', 'Most by mean, experts', ({expertImbalance}) => expertImbalance),
    ratio('rankImbalance', 'Most by mean, ranks', ({rankImbalance}) => rankImbalance),
    {key: 'routedTokens', title: 'Tokens × choices', value: ({routedTokens}) => routedTokens},
    {
      ...{key: 'tokenImbalance', title: 'Most by mean, tokens', value: ({tokenImbalance}) => tokenImbalance},
      text: ({tokenImbalance}) => tokenImbalance?.toFixed(2) ?? '',
    },
    {key: 'droppedTokens', title: 'Dropped', value: ({droppedTokens}) => droppedTokens},
  ];
}

const groupedColumns: readonly Column<GroupedExperts>[] = [
  {key: 'layer', title: 'Layer', value: ({layer}) => layer},
  {key: 'experts', title: 'Experts', value: ({experts}) => experts},
  {key: 'ranks', title: 'Ranks', value: ({ranks}) => ranks.length},
  {key: 'tokens', title: 'Tokens', value: ({ranks}) => ranks.reduce((sum, {tokens}) => sum + tokens, 0)},
  {key: 'mostTokens', title: 'Most tokens', value: row => mostGiven(row)?.tokens ?? null},
  {key: 'itsRank', title: 'Its rank', value: row => mostGiven(row)?.rank ?? null},
  ratio('rankImbalance', 'Most by mean, ranks', ({rankImbalance}) => rankImbalance),
];

const exchangeColumns: readonly Column<LayerExchange>[] = [
  {key: 'layer', title: 'Layer', value: ({layer}) => layer, text: ({layer}) => layer ?? '(next to no experts)'},
  {key: 'calls', title: 'Calls', value: ({calls}) => calls},
  time('busyNs', 'Time, all ranks', ({busyNs}) => busyNs),
  time('exposedNs', 'Exposed', ({exposedNs}) => exposedNs),
  {key: 'mostTokens', title: 'Most tokens', value: row => mostReceiving(row)?.tokens ?? null},
  {key: 'itsRank', title: 'Its rank', value: row => mostReceiving(row)?.rank ?? null},
  {
    ...{key: 'imbalance', title: 'Most by mean', value: ({imbalance}) => imbalance},
    text: ({imbalance}) => imbalance?.toFixed(2) ?? '',
  },
];

function mostReceiving({received}: LayerExchange): {readonly rank: number; readonly tokens: number} | undefined {
  return [...(received ?? [])].sort((a, b) => b.tokens - a.tokens)[0];
}

function mostGiven({ranks}: GroupedExperts): GroupedExperts['ranks'][number] | undefined {
  return [...ranks].sort((a, b) => b.tokens - a.tokens)[0];
}

function mostLoaded(experts: ExpertLoad['experts']): ExpertLoad['experts'][number] | undefined {
  return [...experts].sort((a, b) => b.gpuWorkNs - a.gpuWorkNs)[0];
}

function rate<Row>(key: string, title: string, value: (row: Row) => number | null): Column<Row> {
  return {key, title, value, text: row => formatRate(value(row))};
}

function ratio<Row>(key: string, title: string, value: (row: Row) => number): Column<Row> {
  return {key, title, value, text: row => value(row).toFixed(2)};
}
