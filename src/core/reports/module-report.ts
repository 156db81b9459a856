import {buckets} from '../attribution/site-chains.js';
import {rangeTotals} from '../attribution/range-totals.js';
import type {Chosen} from '../attribution/chosen.js';
import type {RangeTotals} from '../attribution/totals-columns.js';
import {classOfCall, foldModules, modulePath, type ModuleGroup} from '../figures/module-fold.js';
import {moduleChoice, moduleTree, type ModuleTree} from '../figures/module-tree.js';
import type {ReportInput} from '../figures/report-input.js';
import {attributionOf} from '../scope/attribution-of.js';
import {moduleRange} from '../source/module-forward.js';
import {pushAll} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';
import {hasNoGpuWork} from './empty-traces.js';
import type {Cell, ReportDefinition, ReportRows} from './report.js';
import {runGpuWorkNs, runShare, runShareColumn} from './run-share.js';
import {drawn, numberColumn, tally, textColumn, timeColumn} from './summary.js';

/** `modules_sum`: GPU work of each module, with identical layers as one row. @see docs/metrics.md#modules-sum */
export const moduleSummary: ReportDefinition = {
  id: 'modules_sum',
  oldId: null,
  title: 'Module Summary',
  options: ['each'],
  details: () => [],
  about: 'calls of modules (record with GPU Lens, or with_stack=True)',
  tabs: [
    {
      id: 'modules',
      title: 'Modules',
      row: 'plain',
      after: 'compiled',
      isEmpty: hasNoGpuWork,
      about: 'calls of modules: record with GPU Lens, or with_stack=True',
    },
    {
      id: 'modules-each',
      title: 'Modules, each layer',
      row: 'plain',
      options: ['each'],
      after: 'modules',
      isEmpty: hasNoGpuWork,
      about: 'calls of modules: record with GPU Lens, or with_stack=True',
    },
  ],
  needs: ['moduleClasses'],
  columns: [
    {...runShareColumn, title: 'Share', hasBar: false},
    timeColumn('Total Time', 'GPU work of the module with all modules inside it, forward and backward', drawn),
    timeColumn('Forward', 'the part of Total Time that was launched during its calls'),
    timeColumn('Backward', 'the part of Total Time that autograd launched for its calls'),
    timeColumn('Self', 'GPU work of no module inside it, forward and backward; over all rows all GPU work'),
    numberColumn('Modules', 'number of modules that the row stands for: identical layers are one row'),
    {...timeColumn('Avg', 'Total Time / Modules'), decimals: 1},
    numberColumn('Calls', 'number of calls of all of them'),
    timeColumn('CPU Time', 'wall time of the calls, summed'),
    timeColumn('CPU Self', 'the same without calls of modules inside', tally),
    textColumn('Class', 'class of the modules, where it is known'),
    textColumn('Module', 'name of the module in its model; `0…11` stands for identical layers'),
  ],
  rows: moduleRows,
};

function moduleRows(input: ReportInput): ReportRows {
  const {trace, options, moduleClasses = {}} = input;
  const tree = moduleTree(trace);
  const classOf = (name: string) => moduleClasses[moduleRange(name)] ?? null;
  const {groups, groupOf} = foldModules(tree, !options.includes('each'), classOf);
  const attribution = attributionOf(trace, moduleChoice);
  const groupOfCall = attribution.ranges.slice.map(row => groupOf[tree.nodeOfSlice.get(row) ?? -1] ?? -1);
  const totals = rangeTotals(trace, attribution, {length: groups.length, groupOf: groupOfCall}, chosenIn(input));
  const rows = groups.length === 0 ? [] : [...rowsInOrder(groups, totals), ...bucketsWithWork(groups.length, totals)];
  const allNs = runGpuWorkNs(input);
  return {
    length: rows.length,
    cells: at => {
      const row = rows[at];
      const totalNs = totalAt(totals, row);
      const modules = groups[row]?.members.length ?? 0;
      const [forwardNs, selfNs] = [totals.gpuWorkNs[row], totals.gpuSelfNs[row] + totals.backwardGpuSelfNs[row]];
      const works = [runShare(totalNs, allNs), totalNs, forwardNs, totals.backwardGpuWorkNs[row], selfNs];
      if (row >= groups.length) return [...works, null, null, null, null, null, '', bucketNames[row - groups.length]];
      const calls = [modules, totalNs / modules, totals.count[row], totals.cpuWallNs[row], totals.cpuSelfNs[row]];
      return [...works, ...calls, classText(tree, groups[row], classOf), modulePath(groups, row)];
    },
    isFolded: at => (groups[rows[at]]?.members.length ?? 0) > 1,
  };
}

const bucketNames: readonly Cell[] = buckets.map(name => name.replace('(outside any range)', '(outside any module)'));

function chosenIn({scope: {operations, slices, fromNs, toNs}}: ReportInput): Chosen {
  return {operations, isSliceChosen: slices && (row => slices[row] !== 0), fromNs, toNs};
}

function totalAt({gpuWorkNs, backwardGpuWorkNs}: RangeTotals, row: number): number {
  return gpuWorkNs[row] + backwardGpuWorkNs[row];
}

/**
 * Returns rows with each module before its children, and siblings with the most work first. Modules out of scope are
 * left out.
 */
function rowsInOrder(groups: readonly ModuleGroup[], totals: RangeTotals): number[] {
  const inside = new Map<number, number[]>();
  groups.forEach(({parent}, group) => getOrAdd(inside, parent, () => []).push(group));
  const least = (a: number, b: number) =>
    totalAt(totals, a) - totalAt(totals, b) || totals.cpuWallNs[a] - totals.cpuWallNs[b] || b - a;
  const rows: number[] = [];
  const waiting = (inside.get(-1) ?? []).sort(least);
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    const isThere = totals.count[group] + totals.operations[group] + totals.backwardOperations[group] > 0;
    if (isThere) rows.push(group);
    pushAll(waiting, (inside.get(group) ?? []).sort(least));
  }
  return rows;
}

function bucketsWithWork(first: number, totals: RangeTotals): number[] {
  return buckets.map((_, bucket) => first + bucket).filter(row => totalAt(totals, row) > 0);
}

function classText(
  {nodes, arePaths}: ModuleTree,
  {members}: ModuleGroup,
  classOf: (name: string) => string | null,
): string {
  const {name} = nodes[members[0]];
  return arePaths ? (classOf(name) ?? '') : classOfCall(name);
}
