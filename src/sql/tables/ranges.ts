import {groupByInstance} from '../../core/attribution/range-groups.js';
import {rangeTotals} from '../../core/attribution/range-totals.js';
import type {totalsColumns, RangeTotals} from '../../core/attribution/totals-columns.js';
import {attributionOf} from '../../core/scope/attribution-of.js';
import {orNull} from '../../core/table/or-null.js';
import {sliceKinds} from '../../core/trace/slices.js';
import type {Trace} from '../../core/trace/trace.js';
import type {Texts} from '../texts.js';
import {rangePaths} from './gpu-operations.js';
import {sliceColumns, type TableRows} from './table-source.js';

/** The figures of instances, by the column that shows them. */
const figures = {
  cpu_self_ns: 'cpuSelfNs',
  cpu_blocked_ns: 'cpuBlockedNs',
  gpu_work_ns: 'gpuWorkNs',
  gpu_self_ns: 'gpuSelfNs',
  gpu_busy_ns: 'gpuBusyNs',
  gpu_span_ns: 'gpuSpanNs',
  gpu_operations: 'operations',
  launches: 'launches',
  backward_gpu_work_ns: 'backwardGpuWorkNs',
  backward_gpu_self_ns: 'backwardGpuSelfNs',
  backward_gpu_operations: 'backwardOperations',
  recompute_gpu_work_ns: 'recomputeGpuWorkNs',
  gpu_tail_ns: 'gpuTailNs',
  backward_gpu_busy_ns: 'backwardGpuBusyNs',
  has_gpu_work: 'countWithWork',
} as const satisfies Readonly<Record<string, (typeof totalsColumns)[number]>>;

/** Instances of tagged ranges with the figures of `gpu-lens ranges --by instance`. */
export function rangeRowsOf(trace: Trace, texts: Texts): TableRows {
  const attribution = attributionOf(trace);
  const {slice, parent} = attribution.ranges;
  const {slices, domainOfName} = trace;
  let totals: RangeTotals | null = null;
  const figure = (column: keyof typeof figures) => () => {
    totals ??= rangeTotals(trace, attribution, groupByInstance(attribution.ranges));
    const values = totals[figures[column]];
    return (row: number) => values[row];
  };
  return {
    length: slice.length,
    columns: {
      ...sliceColumns(trace, texts, row => slice[row]),
      id: () => row => row,
      parent_id: () => row => orNull(parent[row]),
      path: () => rangePaths(trace, texts),
      kind: () => row => sliceKinds[slices.kind[slice[row]]],
      domain: () => row => texts.add(domainOfName.get(slices.name[slice[row]]) ?? null),
      ...(Object.fromEntries(
        Object.keys(figures).map(column => [column, figure(column as keyof typeof figures)]),
      ) as TableRows['columns']),
    },
  };
}
