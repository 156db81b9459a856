import {mostPathNames} from '../attribution/range-groups.js';
import {processIdOf, reportTimeNs} from './identity.js';
import {noRanges, rangeColumn, styleColumn} from './nvtx-summaries.js';
import {
  collectRangeSet,
  onThreads,
  rangeLevels,
  RangeNest,
  rangeParents,
  rangeStack,
  type RangeSet,
} from '../figures/range-set.js';
import {nsightProjections, eachProjection, type Projection} from '../figures/range-work.js';
import type {ReportInput} from '../figures/report-input.js';
import {numberOrNull, roundedToTenth, type ReportColumn, type ReportDefinition, type ReportRows} from './report.js';
import {GroupedValues, groupSizes} from '../figures/group-statistics.js';
import {amount, groupsByTotal, numberColumn, spreadCells, spreadColumns, textColumn, timeColumn} from './summary.js';

const treeColumns: readonly ReportColumn[] = [
  numberColumn('RangeId', 'number of the range: nsys’s row, else counted from 1'),
  numberColumn('ParentId', 'number of the range right around it on its thread'),
  textColumn('RangeStack', 'numbers of the ranges around it, outermost first, and its own'),
];
const threadColumns: readonly ReportColumn[] = [
  numberColumn('PID', 'process that opened the range'),
  numberColumn('TID', 'thread that opened the range'),
];
const levelColumn = numberColumn('Lvl', 'how many ranges are around it');

/**
 * `nvtx_pushpop_trace`: each range of a thread's stack, with its place in it.
 *
 * @see docs/metrics.md#nvtx-pushpop-trace
 */
export const pushPopTrace: ReportDefinition = {
  id: 'nvtx_pushpop_trace',
  oldId: 'nvtxpptrace',
  title: 'NVTX Push/Pop Range Trace',
  isOfRanges: true,
  options: [],
  details: () => ['ranges'],
  about: noRanges,
  columns: [
    timeColumn('Start', 'when the range was opened'),
    timeColumn('End', 'when it was closed'),
    timeColumn('Duration', 'from opening to closing', amount),
    timeColumn('DurChild', 'durations of the ranges right inside it, summed'),
    timeColumn('DurNonChild', 'Duration − DurChild'),
    textColumn('Name', 'name of the range', {role: 'name'}),
    ...threadColumns,
    levelColumn,
    numberColumn('NumChild', 'number of the ranges right inside it'),
    ...treeColumns,
    textColumn('NameTree', 'name, with two dashes for each range around it'),
  ],
  rows: pushPopRows,
};

function pushPopRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const ranges = onThreads(collectRangeSet(input, {pushPop: true, startEnd: false}, input.scope.slices));
  const parent = rangeParents(ranges);
  const level = rangeLevels(parent);
  const childNs = new Float64Array(ranges.length);
  const children = new Int32Array(ranges.length);
  for (let range = 0; range < ranges.length; range++) {
    if (parent[range] < 0) continue;
    childNs[parent[range]] += ranges.durationNs(range);
    children[parent[range]]++;
  }
  const order = orderBy(ranges.length, (a, b) => ranges.startNs(a) - ranges.startNs(b) || a - b);
  const timeOf = reportTimeNs(trace);
  return {
    length: order.length,
    cells: row => {
      const range = order[row];
      const durationNs = ranges.durationNs(range);
      const name = rangeName(input, ranges, range);
      return [
        timeOf(ranges.startNs(range)),
        timeOf(ranges.endNs(range)),
        durationNs,
        childNs[range],
        durationNs - childNs[range],
        name,
        processIdOf(trace, ranges.trackOf(range)),
        numberOrNull(ranges.threadOf(range)),
        level[range],
        children[range],
        ranges.idOf(range),
        parent[range] < 0 ? null : ranges.idOf(parent[range]),
        rangeStack(ranges, parent, range),
        '--'.repeat(Math.min(level[range], mostPathNames)) + name,
      ];
    },
  };
}

/** `nvtx_gpu_proj_trace`: each range from its first operation's start to its last one's end on the GPU. */
export const projectionTrace: ReportDefinition = {
  id: 'nvtx_gpu_proj_trace',
  oldId: 'nvtxgpuproj',
  title: 'NVTX GPU Projection Trace',
  isOfRanges: true,
  options: [],
  details: () => ['ranges'],
  about: `${noRanges} with GPU work`,
  columns: [
    textColumn('Name', 'name of the range', {role: 'name'}),
    timeColumn('Projected Start', 'first start of the operations launched in the range on its thread'),
    timeColumn('Projected Duration', 'from there to the last end: GPU span, idle time included'),
    timeColumn('Orig Start', 'when the range was opened'),
    timeColumn('Orig Duration', 'from opening to closing'),
    styleColumn,
    ...threadColumns,
    numberColumn('NumGPUOps', 'distinct correlation ids of those operations: a CUDA graph is one'),
    levelColumn,
    numberColumn('NumChild', 'number of the ranges right inside it that have GPU work'),
    ...treeColumns,
  ],
  rows: projectionTraceRows,
};

function projectionTraceRows(input: ReportInput): ReportRows {
  const {trace} = input;
  const {ranges, projection, parent, level, children} = projected(input);
  const {firstNs, lastNs, operations} = projection;
  const order = orderBy(
    ranges.length,
    (a, b) => firstNs[a] - firstNs[b] || lastNs[b] - lastNs[a] || ranges.idOf(a) - ranges.idOf(b),
    range => operations[range] > 0,
  );
  const timeOf = reportTimeNs(trace);
  return {
    length: order.length,
    cells: row => {
      const range = order[row];
      return [
        rangeName(input, ranges, range),
        timeOf(firstNs[range]),
        lastNs[range] - firstNs[range],
        timeOf(ranges.startNs(range)),
        ranges.durationNs(range),
        ranges.styleOf(range),
        processIdOf(trace, ranges.trackOf(range)),
        numberOrNull(ranges.threadOf(range)),
        operations[range],
        level[range],
        children[range],
        ranges.idOf(range),
        parent[range] < 0 ? null : ranges.idOf(parent[range]),
        rangeStack(ranges, parent, range),
      ];
    },
  };
}

/** `nvtx_gpu_proj_sum`: these projections by name and style. */
export const projectionSummary: ReportDefinition = {
  ...projectionTrace,
  id: 'nvtx_gpu_proj_sum',
  oldId: null,
  title: 'NVTX GPU Projection Summary',
  columns: [
    rangeColumn,
    styleColumn,
    timeColumn('Total Proj Time', 'projected durations, summed'),
    timeColumn('Total Range Time', 'durations of the ranges, summed'),
    numberColumn('Range Instances', 'number of ranges that have GPU work'),
    ...spreadColumns('Proj ', 'the projected duration'),
    numberColumn('Total GPU Ops', 'NumGPUOps, summed'),
    {...numberColumn('Avg GPU Ops', 'mean of NumGPUOps'), decimals: 1},
    {...numberColumn('Avg Range Lvl', 'mean of Lvl'), decimals: 1},
    {...numberColumn('Avg Num Child', 'mean of NumChild'), decimals: 1},
  ],
  rows: projectionSummaryRows,
};

function projectionSummaryRows(input: ReportInput): ReportRows {
  const {sites, launches, siteRangeGroups} = input.tables;
  const {ranges} = sites;
  const {groups, groupOf} = siteRangeGroups;
  const nest = new RangeNest(ranges);
  const spanNs = new GroupedValues(groupSizes({groupOf, length: groups.length}));
  const [wallNs, operations, levels, childCounts] = Array.from({length: 4}, () => new Float64Array(groups.length));
  // Ranges without GPU work do not count. A range around one with work has work itself.
  eachProjection(input.trace, sites, launches, (range, firstNs, lastNs, count) => {
    const group = groupOf[range];
    spanNs.add(group, lastNs - firstNs);
    wallNs[group] += ranges.durationNs(range);
    operations[group] += count;
    const parent = nest.parentOf(range);
    levels[group] += nest.level;
    if (parent >= 0) childCounts[groupOf[parent]]++;
  });
  const spans = spanNs.takeStatistics();
  const order = groupsByTotal(spans, group => [groups[group].name]);
  return {
    length: order.length,
    cells: row => {
      const group = order[row];
      const count = spans.count[group];
      return [
        groups[group].name,
        groups[group].style,
        spans.total[group],
        wallNs[group],
        count,
        ...spreadCells(spans, group),
        operations[group],
        roundedToTenth(operations[group] / count),
        roundedToTenth(levels[group] / count),
        roundedToTenth(childCounts[group] / count),
      ];
    },
  };
}

/**
 * Returns ranges that launched something, with their projections and places in the tree. Children count if they have
 * GPU work.
 */
function projected(input: ReportInput): {
  ranges: RangeSet;
  projection: Projection;
  parent: Int32Array;
  level: Int32Array;
  children: Int32Array;
} {
  const {sites, launches} = input.tables;
  const {ranges} = sites;
  const parent = rangeParents(ranges);
  const projection = nsightProjections(input.trace, sites, launches);
  const children = new Int32Array(ranges.length);
  for (let range = 0; range < ranges.length; range++) {
    if (parent[range] >= 0 && projection.operations[range] > 0) children[parent[range]]++;
  }
  return {ranges, projection, parent, level: rangeLevels(parent), children};
}

function rangeName({trace}: ReportInput, {slice}: RangeSet, range: number): string {
  return trace.strings.get(trace.slices.name[slice[range]]);
}

function orderBy(
  length: number,
  compare: (a: number, b: number) => number,
  isWanted: (range: number) => boolean = () => true,
): Int32Array {
  return new Int32Array(length)
    .map((_, range) => range)
    .filter(isWanted)
    .sort(compare);
}
