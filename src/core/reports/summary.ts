import {groupStatistics, type Groups, type GroupStatistics} from '../figures/group-statistics.js';
import {roundedToTenth, type Cell, type ColumnMeaning, type ReportColumn, type ReportRows} from './report.js';

/** Titles of the columns that differ between summaries of durations. */
export interface SummaryTitles {
  /** What a row sums: "kernels of this name". */
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

/** Returns the columns for average, median, extremes and deviation of one measure, in ns. */
export function spreadColumns(prefix: string, what: string): ReportColumn[] {
  return [
    {title: `${prefix}Avg`, unit: 'ns', decimals: 1, definition: `mean of ${what}`},
    {title: `${prefix}Med`, unit: 'ns', decimals: 1, definition: `median of ${what}`},
    {title: `${prefix}Min`, unit: 'ns', definition: `least of ${what}`},
    {title: `${prefix}Max`, unit: 'ns', definition: `most of ${what}`},
    {title: `${prefix}StdDev`, unit: 'ns', decimals: 1, definition: `sample standard deviation of ${what}`},
  ];
}

/** Returns a group's average, median, extremes and deviation, as the cells of `spreadColumns`. */
export function spreadCells(
  {count, mean, median, min, max, standardDeviation}: GroupStatistics,
  group: number,
): Cell[] {
  // Without values, nsys prints no mean, but a deviation of 0.
  if (count[group] === 0) return [null, null, null, null, 0];
  return [
    roundedToTenth(mean[group]),
    roundedToTenth(median[group]),
    min[group],
    max[group],
    roundedToTenth(standardDeviation[group]),
  ];
}

/** For columns whose numbers add up over rows, and are drawn as bars. */
export const amount: ColumnMeaning = {addsUp: true, hasBar: true};
/** For columns whose numbers add up over rows. */
export const tally: ColumnMeaning = {addsUp: true};
/** For columns that are drawn as bars, but whose sum would be meaningless. */
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

/** The caller, as the cells of `callerCells`. */
export const callerColumns: readonly ReportColumn[] = [
  numberColumn('Pid', 'process that called'),
  numberColumn('Tid', 'thread that called'),
  numberColumn('T-Pri', 'priority of the thread'),
  textColumn('Thread Name', 'name of the thread'),
];

/** Returns a row per group that has values, as `statisticsRows` makes them. */
export function summaryRows(durationNs: Float64Array, groups: Groups, labels: (group: number) => string[]): ReportRows {
  return statisticsRows(groupStatistics(durationNs, groups), labels);
}

/**
 * Returns a row per group that has values and is wanted: `durationColumns`, then the labels of the group.
 *
 * The largest total comes first. Ties go to the group with fewer rows, then to the first last label.
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

/** Returns groups with values: the largest total first, then fewer rows, then by the last label. */
export function groupsByTotal({count, total}: GroupStatistics, labels: (group: number) => string[]): number[] {
  const order: number[] = [];
  for (let group = 0; group < count.length; group++) if (count[group] > 0) order.push(group);
  const nameOf = (group: number) => labels(group).at(-1) ?? '';
  return order.sort((a, b) => total[b] - total[a] || count[a] - count[b] || compareText(nameOf(a), nameOf(b)));
}

/** Compares by code unit, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
