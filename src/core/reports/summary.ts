import {groupStatistics, type Groups, type GroupStatistics} from '../figures/group-statistics.js';
import {roundedToTenth, type Cell, type ColumnMeaning, type ReportColumn, type ReportRows} from './report.js';

/** Titles of the columns that differ between summaries of durations. */
export interface SummaryTitles {
  /** What a row adds up: "kernels of this name". */
  readonly of: string;
  readonly count: 'Instances' | 'Num Calls' | 'Count';
}

/** The columns that every summary of durations begins with. */
export function durationColumns({of, count}: SummaryTitles): ReportColumn[] {
  return [
    {
      title: 'Time',
      hasBar: true,
      unit: 'percent',
      decimals: 1,
      definition: 'share of the sum of Total Time over the rows',
    },
    {title: 'Total Time', addsUp: true, hasBar: true, unit: 'ns', definition: `durations of the ${of}, summed`},
    {title: count, addsUp: true, unit: 'none', definition: `number of ${of}`},
    ...spreadColumns('', 'the duration'),
  ];
}

/** Average, median, extremes and deviation of one measure, in ns. */
export function spreadColumns(prefix: string, what: string): ReportColumn[] {
  return [
    {title: `${prefix}Avg`, unit: 'ns', decimals: 1, definition: `mean of ${what}`},
    {title: `${prefix}Med`, unit: 'ns', decimals: 1, definition: `median of ${what}`},
    {title: `${prefix}Min`, unit: 'ns', definition: `least of ${what}`},
    {title: `${prefix}Max`, unit: 'ns', definition: `most of ${what}`},
    {title: `${prefix}StdDev`, unit: 'ns', decimals: 1, definition: `sample standard deviation of ${what}`},
  ];
}

/** A group's average, median, extremes and deviation, as the cells of `spreadColumns`. */
export function spreadCells(
  {count, mean, median, min, max, standardDeviation}: GroupStatistics,
  group: number,
): Cell[] {
  // Where nothing was measured nsys has no mean, but a deviation of 0.
  if (count[group] === 0) return [null, null, null, null, 0];
  return [
    roundedToTenth(mean[group]),
    roundedToTenth(median[group]),
    min[group],
    max[group],
    roundedToTenth(standardDeviation[group]),
  ];
}

/** Of columns whose numbers add up over rows, and are drawn as bars. */
export const amount: ColumnMeaning = {addsUp: true, hasBar: true};
/** Of columns whose numbers add up over rows. */
export const tally: ColumnMeaning = {addsUp: true};
/** Of columns that are drawn as bars, and whose sum would say nothing. */
export const drawn: ColumnMeaning = {hasBar: true};

/** A column of text. */
export function textColumn(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  return {title, unit: 'none', definition, isText: true, ...meaning};
}

/** A column of whole numbers without a unit. */
export function numberColumn(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  return {title, unit: 'none', definition, ...meaning};
}

/** A column of times in ns. */
export function timeColumn(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  return {title, unit: 'ns', definition, ...meaning};
}

/** A column of megabytes, 10^6 bytes, with three decimals. */
export function megabytesColumn(title: string, definition: string, meaning: ColumnMeaning = {}): ReportColumn {
  return {title, unit: 'megabytes', decimals: 3, definition, ...meaning};
}

/** Who made a call, as the cells of `callerCells`. */
export const callerColumns: readonly ReportColumn[] = [
  numberColumn('Pid', 'process that called'),
  numberColumn('Tid', 'thread that called'),
  numberColumn('T-Pri', 'priority of the thread'),
  textColumn('Thread Name', 'name of the thread'),
];

/** A row per group that has values, as `statisticsRows` gives them. */
export function summaryRows(durationNs: Float64Array, groups: Groups, labels: (group: number) => string[]): ReportRows {
  return statisticsRows(groupStatistics(durationNs, groups), labels);
}

/**
 * A row per group that has values and is wanted: `durationColumns`, then the labels of the group.
 *
 * The largest total comes first; of equal ones the one with fewer rows, then the first by its last label.
 */
export function statisticsRows(
  statistics: GroupStatistics,
  labels: (group: number) => string[],
  isWanted: (group: number) => boolean = () => true,
): ReportRows {
  const {count, total} = statistics;
  const order = groupsByTotal(statistics, labels).filter(isWanted);
  let allNs = 0;
  for (const group of order) allNs += total[group];
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const percent = allNs > 0 ? roundedToTenth((total[group] * 100) / allNs) : null;
      return [percent, total[group], count[group], ...spreadCells(statistics, group), ...labels(group)];
    },
  };
}

/** Groups with values: the largest total first, then fewer rows, then by the last label. */
export function groupsByTotal({count, total}: GroupStatistics, labels: (group: number) => string[]): number[] {
  const order: number[] = [];
  for (let group = 0; group < count.length; group++) if (count[group] > 0) order.push(group);
  const nameOf = (group: number) => labels(group).at(-1) ?? '';
  return order.sort((a, b) => total[b] - total[a] || count[a] - count[b] || compareText(nameOf(a), nameOf(b)));
}

/** By code unit, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
