import type {RangeChoice} from '../attribution/ranges.js';
import {rangePart, partOfRange} from '../scope/selection.js';
import {attributionOf} from '../scope/attribution-of.js';
import {groupStatistics} from '../figures/group-statistics.js';
import type {ReportInput} from '../figures/report-input.js';
import {roundedToTenth, type ReportColumn, type ReportRows} from '../reports/report.js';
import {kernelGroups} from '../figures/operation-groups.js';
import {TextGroups} from '../figures/group-index.js';
import {amount, numberColumn, tally, textColumn, timeColumn} from '../reports/summary.js';

/** @see docs/metrics.md#range-kernels */
export const rangeKernelColumns: readonly ReportColumn[] = [
  {
    title: 'Time',
    hasBar: true,
    unit: 'percent',
    decimals: 1,
    definition: 'share of the sum of Total Time over the rows',
  },
  timeColumn('Total Time', 'durations of the kernels launched inside the range on its own thread, summed', amount),
  numberColumn('Instances', 'number of those kernels', tally),
  {title: 'Avg', unit: 'ns', decimals: 1, definition: 'Total Time ÷ Instances'},
  timeColumn(
    'Backward Time',
    'durations of the kernels that autograd launched for forward work inside the range',
    amount,
  ),
  numberColumn('Backward Instances', 'number of those kernels', tally),
  textColumn('Name', 'the kernel, demangled', {role: 'name'}),
];

/**
 * Returns the kernels of the ranges that `range` names, with separate figures for forward and backward: most forward
 * time first, then most backward.
 *
 * @param choice the kind of the range; the user's ranges if absent
 * @throws TraceError `selection/no-match`
 */
export function rangeKernelRows(input: ReportInput, range: string, choice?: RangeChoice): ReportRows {
  const {trace} = input;
  const {slices, gpuOperations, strings} = trace;
  const attribution = attributionOf(trace, choice);
  const part = partOfRange(trace, attribution, range);
  const names = new TextGroups();
  const nameOf = names.byNumber(strings.length, name => strings.get(name));
  const groupOf = kernelGroups(input, operation => nameOf(slices.name[gpuOperations.slice[operation]]));
  const length = names.texts.length;
  const durationNs = input.tables.operationNs;
  const of = (wanted: number) => {
    const own = groupOf.map((group, operation) => (part[attribution.sites.siteOf[operation]] === wanted ? group : -1));
    return groupStatistics(durationNs, {groupOf: own, length});
  };
  const forward = of(rangePart.own);
  const backward = of(rangePart.backward);
  const order = Array.from({length}, (_, group) => group)
    .filter(group => forward.count[group] + backward.count[group] > 0)
    .sort((a, b) => forward.total[b] - forward.total[a] || backward.total[b] - backward.total[a] || a - b);
  const allNs = order.reduce((sum, group) => sum + forward.total[group], 0);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const percent = allNs > 0 ? roundedToTenth((100 * forward.total[group]) / allNs) : null;
      const mean = roundedToTenth(forward.mean[group]);
      const counted = [forward.total[group], forward.count[group], mean] as const;
      return [percent, ...counted, backward.total[group], backward.count[group], names.texts[group]];
    },
  };
}
