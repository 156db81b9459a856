import type {Attribution} from '../attribution/attribute.js';
import {condensed} from '../attribution/condensed.js';
import {nameInRows, namingOf, type NameFold, type Naming} from '../attribution/name-fold.js';
import {pathTotals, type PathGroups} from '../attribution/path-totals.js';
import {rangeChoiceOf, type RangeStack} from '../attribution/range-stack.js';
import {foldPaths, groupByInstance, groupByPath, pathText, type PathTable} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import type {Ranges} from '../attribution/ranges.js';
import {everything, type Chosen} from '../attribution/chosen.js';
import {buckets} from '../attribution/site-chains.js';
import type {RangeTotals} from '../attribution/totals-columns.js';
import {getOrAdd} from '../table/get-or-add.js';
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
  const {totals, labels} = groupRanges(trace, attribution, by, fold, chosen);
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
  fold: NameFold | undefined,
  chosen: Chosen,
): {totals: RangeTotals; labels: Label[]} {
  const {ranges} = attribution;
  if (by === 'instance') {
    const naming = namingOf(trace, fold, ranges.slice);
    const labels = instanceLabels(trace, ranges, naming);
    return {totals: rangeTotals(trace, attribution, groupByInstance(ranges), chosen), labels};
  }
  const whole = chosen === everything ? condensed(trace, attribution) : null;
  if (whole !== null) {
    const {labels, ...groups} = groupPaths(namingOf(trace, fold, whole.ranges.slice), whole.paths, by);
    return {totals: pathTotals(trace, attribution, whole, groups), labels};
  }
  const {groupOf: pathOf, paths} = groupByPath(trace, ranges);
  const {length, ofPath, labels} = groupPaths(namingOf(trace, fold, ranges.slice), paths, by);
  const groups = {length, groupOf: pathOf.map(path => ofPath[path])};
  return {totals: rangeTotals(trace, attribution, groups, chosen), labels};
}

function instanceLabels(trace: Trace, ranges: Ranges, naming: Naming): Label[] {
  const {groupOf, paths} = groupByPath(trace, ranges, naming);
  return Array.from(ranges.slice, (row, range) => ({
    name: naming.textOf(trace.slices.name[row]),
    path: pathText(naming, paths, groupOf[range]),
    names: 1,
  }));
}

/** Returns a group for each folded name or path, in the order of the first range. */
function groupPaths(naming: Naming, paths: PathTable, by: 'name' | 'path'): PathGroups & {readonly labels: Label[]} {
  const byPath = foldPaths(paths, naming);
  const byName = by === 'name' ? nameGroups(paths, naming) : byPath;
  const onlyPath = onlyPaths(byName, byPath);
  const names = namesOfGroups(paths, byName);
  const labels = Array.from(byName.name, (name, group) => ({
    name: naming.textOf(name),
    path: onlyPath[group] < 0 ? null : pathText(naming, byPath.paths, onlyPath[group]),
    names: names[group],
  }));
  return {length: byName.length, ofPath: byName.ofPath, labels};
}

/** Returns a group for each name; `name` is the string index by group. */
function nameGroups({name: nameAt}: PathTable, naming: Naming): PathGroups & {readonly name: readonly number[]} {
  const name: number[] = [];
  const groupOf = new Map<number, number>();
  const ofPath = Int32Array.from(nameAt, own => {
    const shown = nameInRows(naming, own);
    return getOrAdd(groupOf, shown, () => name.push(shown) - 1);
  });
  return {length: name.length, ofPath, name};
}

/** Returns the number of distinct names in each group. */
function namesOfGroups({name}: PathTable, {ofPath, length}: PathGroups): Int32Array {
  const names = new Int32Array(length);
  const known = new PairIndex();
  for (let path = 0; path < ofPath.length; path++) {
    const group = ofPath[path];
    if (known.get(group, name[path]) >= 0) continue;
    known.set(group, name[path], 0);
    names[group]++;
  }
  return names;
}

/** Returns the folded path that all paths of a group share, -1 if there are several. */
function onlyPaths(groups: PathGroups, byPath: PathGroups): Int32Array {
  const unset = -2;
  const only = new Int32Array(groups.length).fill(unset);
  for (let path = 0; path < groups.ofPath.length; path++) {
    const group = groups.ofPath[path];
    const own = byPath.ofPath[path];
    only[group] = only[group] === unset || only[group] === own ? own : -1;
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
