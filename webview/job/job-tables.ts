import {formatCount} from '../../src/core/format/count.js';
import {formatDuration, formatPercent} from '../../src/core/format/duration.js';
import type {CollectiveWaits} from '../../src/core/job/call-waits.js';
import type {ExpertLoad} from '../../src/core/job/expert-loads.js';
import {formatRate, linkText, shareText} from '../../src/core/job/link-text.js';
import type {GroupedExperts} from '../../src/core/job/grouped-experts.js';
import type {LayerExchange} from '../../src/core/job/layer-exchanges.js';
import type {PartSpread, RankSpread} from '../../src/core/job/rank-spread.js';
import {partTitle} from '../../src/core/summary/time-parts.js';
import type {JobView} from '../../src/core/job/job-view.js';
import {formatBytes} from '../../src/core/memory-snapshot/format-bytes.js';
import type {RowColumn} from '../shared/grid/row-grid.js';
import type {HeatGrid} from './heat-grid.js';
import {t} from '../shared/translate.js';

/** Ranges of one name over all ranks, or of one rank compared with them. */
export interface RangeRow {
  readonly name: string;
  readonly minNs: number;
  readonly medianNs: number;
  readonly maxNs: number;
  readonly slowestRank: number;
  /** NaN if the chosen rank has none, or none is chosen. */
  readonly chosenNs: number;
}

/** @param rank position of a rank in the report; null for all */
export function rangeRows({report, rangeNs, rangeColumns}: JobView, rank: number | null): RangeRow[] {
  return report.ranges.slice(0, rangeColumns).map((range, column) => ({
    ...range,
    chosenNs: rank === null ? NaN : rangeNs[rank * rangeColumns + column],
  }));
}

const duration = (ns: number): string => (Number.isNaN(ns) ? '' : formatDuration(ns));

/** Returns by how much one figure exceeds another; "" if that is meaningless. */
function more(ns: number, thanNs: number): string {
  if (Number.isNaN(ns) || !(thanNs > 0)) return '';
  return `${ns < thanNs ? '−' : '+'}${formatPercent(Math.abs(ns - thanNs), thanNs)}`;
}

/** A figure over the ranks: minimum, median and maximum, and the rank with the maximum. */
export const spreadColumns: readonly RowColumn<Pick<RankSpread, 'minNs' | 'medianNs' | 'maxNs' | 'slowestRank'>>[] = [
  {
    title: t('Min'),
    value: ({minNs}) => minNs,
    about: t('The rank that takes least'),
    text: ({minNs}) => duration(minNs),
  },
  {
    title: t('Median'),
    value: ({medianNs}) => medianNs,
    about: t('The median over the ranks'),
    text: ({medianNs}) => duration(medianNs),
  },
  {
    title: t('Max'),
    value: ({maxNs}) => maxNs,
    about: t('The rank that takes most'),
    text: ({maxNs}) => duration(maxNs),
  },
  {
    title: t('Worst rank'),
    value: ({slowestRank}) => slowestRank,
    about: t('The rank that takes most'),
    text: ({slowestRank}) => String(slowestRank),
  },
  {
    title: t('Worst against median'),
    value: ({maxNs, medianNs}) => maxNs / medianNs,
    about: t('By how much it takes longer than the median rank'),
    text: ({maxNs, medianNs}) => more(maxNs, medianNs),
  },
];

/** @param chosen the compared rank; null for all */
export function rangeColumns(chosen: number | null): RowColumn<RangeRow>[] {
  const own: RowColumn<RangeRow>[] =
    chosen === null
      ? []
      : [
          {title: t('Rank {0}', chosen), value: ({chosenNs}) => chosenNs, text: ({chosenNs}) => duration(chosenNs)},
          {
            title: t('Against the median'),
            value: ({chosenNs, medianNs}) => chosenNs / medianNs,
            about: t('By how much the rank takes longer than the median rank'),
            text: ({chosenNs, medianNs}) => more(chosenNs, medianNs),
          },
        ];
  return [{title: t('Range'), isText: true, text: ({name}) => name}, ...own, ...spreadColumns];
}

export const partColumns: readonly RowColumn<PartSpread>[] = [
  {title: t('Part'), isText: true, text: ({part}) => partTitle(part)},
  ...spreadColumns,
];

const waitingNs = ({waitNs}: CollectiveWaits): number => Object.values(waitNs).reduce((sum, ns) => sum + ns, 0);

export const collectiveColumns: readonly RowColumn<CollectiveWaits>[] = [
  {title: t('Operation'), isText: true, text: ({name}) => name},
  {title: t('Group'), isText: true, text: ({group}) => group ?? ''},
  {title: t('Calls'), value: ({count}) => count, text: ({count}) => formatCount(count)},
  {
    title: t('Bytes'),
    value: ({bytes}) => bytes,
    about: t('As NCCL’s tests count them'),
    text: ({bytes}) => (bytes === null ? '' : formatBytes(bytes)),
  },
  {
    title: t('Transfer'),
    value: ({transferNs}) => transferNs,
    about: t('The shortest time of each call, summed'),
    text: ({transferNs}) => duration(transferNs),
  },
  {
    title: t('Waiting'),
    value: waitingNs,
    about: t('What the other ranks take longer, summed'),
    text: row => duration(waitingNs(row)),
  },
  {
    title: t('Waiting (%)'),
    value: row => waitingNs(row) / row.busyNs,
    about: t('Of the time of all ranks in these calls'),
    text: row => (row.busyNs > 0 ? formatPercent(waitingNs(row), row.busyNs) : ''),
  },
  {
    title: t('Exposed'),
    value: ({exposedNs}) => exposedNs,
    about: t('Time in which the GPU computed nothing meanwhile, over all ranks'),
    text: ({exposedNs}) => (exposedNs === null ? '' : duration(exposedNs)),
  },
  {
    title: t('Hidden'),
    value: ({busyNs, exposedNs}) => (exposedNs === null ? null : busyNs - exposedNs),
    about: t('Time in which the GPU computed meanwhile, over all ranks'),
    text: ({busyNs, exposedNs}) => (exposedNs === null ? '' : duration(busyNs - exposedNs)),
  },
  {
    title: t('Algorithm'),
    value: row => row.algorithmBytesPerSecond,
    about: t('Bytes by the transfer'),
    text: row => formatRate(row.algorithmBytesPerSecond),
  },
  {
    title: t('Bus'),
    value: row => row.busBytesPerSecond,
    about: t('What a rank must send over the slowest link'),
    text: row => formatRate(row.busBytesPerSecond),
  },
  {
    title: t('Link'),
    isText: true,
    about: t('What joins the ranks by the data sheet of their GPU, and what it carries in one direction'),
    text: row => [linkText(row), ...(row.link ? [formatRate(row.link.bytesPerSecond)] : [])].join(' '),
  },
  {
    title: t('Bus by link'),
    value: row => row.shareOfLink,
    about: t('The part of the link that the bus bandwidth is'),
    text: shareText,
  },
];

export const expertColumns: readonly RowColumn<ExpertLoad>[] = [
  {title: t('Layer'), isText: true, text: ({layer}) => (layer === '' ? t('(no layer named)') : layer)},
  {title: t('Experts'), value: ({experts}) => experts.length, text: ({experts}) => formatCount(experts.length)},
  {
    title: t('Most by mean, experts'),
    value: ({expertImbalance}) => expertImbalance,
    about: t('1 is balanced'),
    text: ({expertImbalance}) => expertImbalance.toFixed(2),
  },
  {
    title: t('Most by mean, ranks'),
    value: ({rankImbalance}) => rankImbalance,
    about: t('1 is balanced'),
    text: ({rankImbalance}) => rankImbalance.toFixed(2),
  },
  {
    title: t('Tokens by expert'),
    isText: true,
    about: t('Rows of the first product in each range of an expert'),
    text: ({experts}) =>
      experts
        .flatMap(({expert, tokens}) => (tokens === null ? [] : [`${String(expert)}: ${formatCount(tokens)}`]))
        .join(', '),
  },
  {
    title: t('Most by mean, tokens'),
    value: ({tokenImbalance}) => tokenImbalance,
    about: t('1 is balanced'),
    text: ({tokenImbalance}) => tokenImbalance?.toFixed(2) ?? '',
  },
  {
    title: t('Dropped'),
    value: ({droppedTokens}) => droppedTokens,
    about: t('Of what the routers gave out, at least so much overflowed the capacity of an expert'),
    text: ({droppedTokens, routedTokens}) =>
      droppedTokens === null || routedTokens === null
        ? ''
        : t('{0} of {1}', formatCount(droppedTokens), formatCount(routedTokens)),
  },
];

export const groupedColumns: readonly RowColumn<GroupedExperts>[] = [
  {title: t('Layer'), isText: true, text: ({layer}) => (layer === '' ? t('(no layer named)') : layer)},
  {
    title: t('Experts'),
    value: ({experts}) => experts,
    about: t('Of one rank'),
    text: ({experts}) => formatCount(experts),
  },
  {
    title: t('Tokens by rank'),
    isText: true,
    about: t('Rows of the first grouped product in each range'),
    text: ({ranks}) => ranks.map(({rank, tokens}) => `${String(rank)}: ${formatCount(tokens)}`).join(', '),
  },
  {
    title: t('Most by mean, ranks'),
    value: ({rankImbalance}) => rankImbalance,
    about: t('1 is balanced'),
    text: ({rankImbalance}) => rankImbalance.toFixed(2),
  },
];

export const exchangeColumns: readonly RowColumn<LayerExchange>[] = [
  {title: t('Layer'), isText: true, text: ({layer}) => layer ?? t('(next to no experts)')},
  {
    title: t('Calls'),
    value: ({calls}) => calls,
    about: t('Parts of ranks in calls'),
    text: ({calls}) => formatCount(calls),
  },
  {
    title: t('Time'),
    value: ({busyNs}) => busyNs,
    about: t('Of these calls, over all ranks'),
    text: ({busyNs}) => duration(busyNs),
  },
  {
    title: t('Exposed'),
    value: ({exposedNs}) => exposedNs,
    about: t('Time in which the GPU computed nothing meanwhile, over all ranks'),
    text: ({exposedNs}) => (exposedNs === null ? '' : duration(exposedNs)),
  },
  {
    title: t('Tokens by rank'),
    isText: true,
    about: t('What each rank is given for its experts: rows of the input'),
    text: ({received}) => received?.map(({rank, tokens}) => `${String(rank)}: ${formatCount(tokens)}`).join(', ') ?? '',
  },
  {
    title: t('Most by mean'),
    value: ({imbalance}) => imbalance,
    about: t('1 is balanced'),
    text: ({imbalance}) => imbalance?.toFixed(2) ?? '',
  },
];

/** Returns a grid as a table: one line per row, one figure per column. */
export function gridColumns({rowNoun, rows, columns, values, format}: HeatGrid): RowColumn<number>[] {
  const cell = (row: number, column: number) => {
    const value = values[row * columns.length + column];
    return Number.isNaN(value) ? '' : format(value);
  };
  return [
    {title: rowNoun, value: row => row, text: row => rows[row]},
    ...columns.map((title, column) => ({
      title,
      value: (row: number) => values[row * columns.length + column] ?? null,
      text: (row: number) => cell(row, column),
    })),
  ];
}
