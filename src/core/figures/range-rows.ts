import type {Attribution} from '../attribution/attribute.js';
import {namingOf, type Naming} from '../attribution/name-fold.js';
import {rangeChoiceOf, type RangeStack} from '../attribution/range-stack.js';
import {groupByInstance, groupByName, groupByPath, pathText, type RangeGroups} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {everything, type Chosen} from '../attribution/chosen.js';
import type {Ranges} from '../attribution/ranges.js';
import {buckets} from '../attribution/site-chains.js';
import type {RangeTotals} from '../attribution/totals-columns.js';
import {PairIndex} from '../table/pair-index.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {choose, type Selection} from '../scope/selection.js';

export const rangeGroupings = ['name', 'path', 'instance'] as const;
export type RangeGrouping = (typeof rangeGroupings)[number];

/** Figures of a range or bucket; times are whole ns. @see docs/metrics.md#ranges */
export interface RangeRow {
  readonly name: string;
  /** Names from the outermost range down, joined by "/"; null if the row combines ranges of several paths. */
  readonly path: string | null;
  /** Number of names folded into the row: 1 for an unfolded name, 0 for a bucket. */
  readonly names: number;
  readonly count: number;
  readonly countWithWork: number;
  readonly cpuWallNs: number;
  readonly cpuSelfNs: number;
  readonly cpuBlockedNs: number;
  readonly gpuWorkNs: number;
  readonly gpuSelfNs: number;
  readonly gpuBusyNs: number;
  readonly gpuSpanNs: number;
  readonly gpuTailNs: number;
  readonly ops: number;
  readonly launches: number;
  readonly backwardGpuWorkNs: number;
  readonly backwardGpuSelfNs: number;
  readonly backwardGpuBusyNs: number;
  readonly backwardOps: number;
  readonly backwardLaunches: number;
  readonly recomputeGpuWorkNs: number;
  /**
   * Number of its GPU operations and instances for which something not recorded in the file was assumed: see the notes.
   */
  readonly assumed: number;
}

/** The ranges to report, and how to group them. */
export interface RangeQuery extends Omit<RangeStack, 'kinds'> {
  readonly kinds?: Iterable<SliceKind>;
  /** The part of the trace to report; rows outside it are left out. */
  readonly selection?: Selection;
}

/**
 * Returns a row per name, path or instance of a range, most GPU work first, then the buckets for work outside ranges.
 *
 * Over all rows `gpuSelfNs` and `backwardGpuSelfNs` add up to all GPU work of the trace, or of the selection.
 *
 * @throws TraceError `selection/no-match`, `trace/too-many-open-ranges`
 */
export function rangeRows(trace: Trace, by: RangeGrouping, query: RangeQuery = {}): RangeRow[] {
  const {selection = {}, fold} = query;
  const attribution = attributionOf(trace, rangeChoiceOf(query));
  const chosen = choose(trace, attribution, selection);
  const naming = namingOf(trace, fold, attribution.ranges.slice);
  const {totals, labels} = groupRanges(trace, attribution, by, naming, chosen);
  let rows = labels.map((label, group) => ({...label, ...figuresAt(totals, group)}));
  if (chosen !== everything) rows = rows.filter(row => row.count + row.ops + row.backwardOps > 0);
  rows.sort((a, b) => forwardAndBackwardNs(b) - forwardAndBackwardNs(a) || b.cpuWallNs - a.cpuWallNs);
  const bucketRows = buckets.map((name, bucket) => ({
    name,
    path: null,
    names: 0,
    ...figuresAt(totals, labels.length + bucket),
  }));
  return [...rows, ...bucketRows];
}

interface Label {
  readonly name: string;
  readonly path: string | null;
  readonly names: number;
}

function groupRanges(
  trace: Trace,
  attribution: Attribution,
  by: RangeGrouping,
  naming: Naming,
  chosen: Chosen,
): {totals: RangeTotals; labels: Label[]} {
  const {ranges} = attribution;
  const {slices} = trace;
  const byPath = groupByPath(trace, ranges, naming);
  const pathOf = (node: number) => pathText(naming, byPath.paths, node);
  if (by === 'path') {
    const names = namesOfGroups(trace, ranges, byPath);
    const labels = Array.from(byPath.paths.name, (name, node) => ({
      ...{name: naming.textOf(name), path: pathOf(node), names: names[node]},
    }));
    return {totals: rangeTotals(trace, attribution, byPath, chosen), labels};
  }
  if (by === 'instance') {
    const totals = rangeTotals(trace, attribution, groupByInstance(ranges), chosen);
    const labels = Array.from(ranges.slice, (row, range) => ({
      name: naming.textOf(slices.name[row]),
      path: pathOf(byPath.groupOf[range]),
      names: 1,
    }));
    return {totals, labels};
  }
  const byName = groupByName(trace, ranges, naming);
  const onlyPath = onlyPaths(byName.groupOf, byPath.groupOf, byName.length);
  const names = namesOfGroups(trace, ranges, byName);
  const labels = byName.name.map((name, group) => ({
    name: naming.textOf(name),
    path: onlyPath[group] < 0 ? null : pathOf(onlyPath[group]),
    names: names[group],
  }));
  return {totals: rangeTotals(trace, attribution, byName, chosen), labels};
}

/** Returns the number of distinct names in each group. */
function namesOfGroups({slices}: Trace, {slice}: Ranges, {groupOf, length}: RangeGroups): Int32Array {
  const names = new Int32Array(length);
  const known = new PairIndex();
  for (let range = 0; range < groupOf.length; range++) {
    const group = groupOf[range];
    const name = slices.name[slice[range]];
    if (group < 0 || known.get(group, name) >= 0) continue;
    known.set(group, name, 0);
    names[group]++;
  }
  return names;
}

/** Returns the path that all ranges of a name share, -1 if there are several. */
function onlyPaths(nameOf: Int32Array, pathOf: Int32Array, length: number): Int32Array {
  const unset = -2;
  const only = new Int32Array(length).fill(unset);
  for (let range = 0; range < nameOf.length; range++) {
    const group = nameOf[range];
    only[group] = only[group] === unset || only[group] === pathOf[range] ? pathOf[range] : -1;
  }
  return only;
}

function figuresAt(totals: RangeTotals, group: number): Omit<RangeRow, 'name' | 'path' | 'names'> {
  return {
    count: totals.count[group],
    countWithWork: totals.countWithWork[group],
    cpuWallNs: totals.cpuWallNs[group],
    cpuSelfNs: totals.cpuSelfNs[group],
    cpuBlockedNs: totals.cpuBlockedNs[group],
    gpuWorkNs: totals.gpuWorkNs[group],
    gpuSelfNs: totals.gpuSelfNs[group],
    gpuBusyNs: totals.gpuBusyNs[group],
    gpuSpanNs: totals.gpuSpanNs[group],
    gpuTailNs: totals.gpuTailNs[group],
    ops: totals.operations[group],
    launches: totals.launches[group],
    backwardGpuWorkNs: totals.backwardGpuWorkNs[group],
    backwardGpuSelfNs: totals.backwardGpuSelfNs[group],
    backwardGpuBusyNs: totals.backwardGpuBusyNs[group],
    backwardOps: totals.backwardOperations[group],
    backwardLaunches: totals.backwardLaunches[group],
    recomputeGpuWorkNs: totals.recomputeGpuWorkNs[group],
    assumed: totals.assumed[group],
  };
}

function forwardAndBackwardNs(row: {gpuWorkNs: number; backwardGpuWorkNs: number}): number {
  return row.gpuWorkNs + row.backwardGpuWorkNs;
}
