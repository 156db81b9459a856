import {attribute, type Attribution} from '../attribution/attribute.js';
import {groupByInstance, groupByName, groupByPath, pathText} from '../attribution/range-groups.js';
import {buckets, rangeTotals, type RangeTotals} from '../attribution/range-totals.js';
import {derived} from '../trace/derived.js';
import {taggedRangeKinds, type SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

export const rangeGroupings = ['name', 'path', 'instance'] as const;
export type RangeGrouping = (typeof rangeGroupings)[number];

/** GPU and CPU time of a range or bucket; times are whole ns. @see docs/metrics.md#ranges */
export interface RangeRow {
  readonly name: string;
  /** Names from the outermost range down, joined by "/"; null where ranges of several paths make the row. */
  readonly path: string | null;
  readonly count: number;
  readonly cpuWallNs: number;
  readonly gpuWorkNs: number;
  readonly gpuSelfNs: number;
  readonly gpuBusyNs: number;
  readonly gpuSpanNs: number;
  readonly backwardGpuWorkNs: number;
  readonly backwardGpuSelfNs: number;
  readonly ops: number;
  readonly launches: number;
}

/**
 * A row per name, path or instance of a tagged range, most GPU work first, then the buckets for work outside ranges.
 *
 * Over all rows `gpuSelfNs` and `backwardGpuSelfNs` add up to all GPU work of the trace.
 */
export function rangeRows(trace: Trace, by: RangeGrouping, kinds: SliceKindSet = taggedRangeKinds): RangeRow[] {
  const attribution = attributionOf(trace, kinds);
  const {totals, labels} = groupRanges(trace, attribution, by);
  const rows = labels.map((label, group) => ({...label, ...figuresAt(totals, group)}));
  rows.sort((a, b) => forwardAndBackwardNs(b) - forwardAndBackwardNs(a) || b.cpuWallNs - a.cpuWallNs);
  const bucketRows = buckets.map((name, bucket) => ({name, path: null, ...figuresAt(totals, labels.length + bucket)}));
  return [...rows, ...bucketRows];
}

/** Attribution is asked for by every view, and is the same until the kinds change: it is kept with the trace. */
export function attributionOf(trace: Trace, kinds: SliceKindSet = taggedRangeKinds): Attribution {
  return derived(trace, `attribution ${[...kinds].sort().join()}`, () => attribute(trace, kinds));
}

interface Label {
  readonly name: string;
  readonly path: string | null;
}

function groupRanges(
  trace: Trace,
  attribution: Attribution,
  by: RangeGrouping,
): {totals: RangeTotals; labels: Label[]} {
  const {ranges} = attribution;
  const {strings, slices} = trace;
  const byPath = groupByPath(trace, ranges);
  const pathOf = (node: number) => pathText(trace, byPath.paths, node);
  if (by === 'path') {
    const labels = Array.from(byPath.paths.name, (name, node) => ({name: strings.get(name), path: pathOf(node)}));
    return {totals: rangeTotals(trace, attribution, byPath), labels};
  }
  if (by === 'instance') {
    const totals = rangeTotals(trace, attribution, groupByInstance(ranges));
    const labels = Array.from(ranges.slice, (row, range) => ({
      name: strings.get(slices.name[row]),
      path: pathOf(byPath.groupOf[range]),
    }));
    return {totals, labels};
  }
  const byName = groupByName(trace, ranges);
  const onlyPath = onlyPaths(byName.groupOf, byPath.groupOf, byName.length);
  const labels = byName.name.map((name, group) => ({
    name: strings.get(name),
    path: onlyPath[group] < 0 ? null : pathOf(onlyPath[group]),
  }));
  return {totals: rangeTotals(trace, attribution, byName), labels};
}

/** The path that all ranges of a name share, -1 where they have several. */
function onlyPaths(nameOf: Int32Array, pathOf: Int32Array, length: number): Int32Array {
  const unset = -2;
  const only = new Int32Array(length).fill(unset);
  nameOf.forEach((group, range) => {
    only[group] = only[group] === unset || only[group] === pathOf[range] ? pathOf[range] : -1;
  });
  return only;
}

function figuresAt(totals: RangeTotals, group: number): Omit<RangeRow, 'name' | 'path'> {
  return {
    count: totals.count[group],
    cpuWallNs: totals.cpuWallNs[group],
    gpuWorkNs: totals.gpuWorkNs[group],
    gpuSelfNs: totals.gpuSelfNs[group],
    gpuBusyNs: totals.gpuBusyNs[group],
    gpuSpanNs: totals.gpuSpanNs[group],
    backwardGpuWorkNs: totals.backwardGpuWorkNs[group],
    backwardGpuSelfNs: totals.backwardGpuSelfNs[group],
    ops: totals.operations[group],
    launches: totals.launches[group],
  };
}

function forwardAndBackwardNs(row: {gpuWorkNs: number; backwardGpuWorkNs: number}): number {
  return row.gpuWorkNs + row.backwardGpuWorkNs;
}
