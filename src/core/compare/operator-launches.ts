import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder, type StackTree} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import {getOrAdd} from '../table/get-or-add.js';
import {groupRows} from '../table/group-rows.js';
import {PairIndex} from '../table/pair-index.js';
import {StringTable} from '../table/string-table.js';
import {TableBuilder, type Table} from '../table/table.js';
import type {SliceKind, SliceKindSet} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {comparedPaths, comparedTexts} from '../gpu-work/compared-name.js';
import type {WorkPart} from '../gpu-work/work-part.js';

const launchSchema = {
  /** Row of the slices table: the first operation that was launched. */
  operation: 'i32',
  /** How many operations: more than one of a graph that was captured once and replayed. */
  times: 'i32',
  /** The innermost operator's call, as a number of its own. */
  call: 'i32',
  /** Index of `operators`: the innermost operator's name. */
  operator: 'i32',
  /** Index of `operators`: the names of all operators around the launch, the outermost first. */
  operatorPath: 'i32',
  /** The instance of a range that the work is credited to, and the group of `rangePathOf`; -1 for none. */
  range: 'i32',
  rangePath: 'i32',
  track: 'i32',
  step: 'i32',
} as const;

/** The launches in operators of a part of a profile, by thread and time. */
export interface OperatorLaunches {
  readonly launches: Table<typeof launchSchema>;
  /** Texts of operators and of their paths. */
  readonly operators: StringTable;
  readonly rangePathOf: (rangePath: number) => string;
}

const operatorKinds: SliceKindSet = new Set<SliceKind>(['cpu_op']);

/**
 * Returns the launches of a part's operations that are in an operator. A call that started several different
 * operations, such as a graph, is left out: their order is unknown.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function operatorLaunches({trace, attribution, stepOf}: WorkPart): OperatorLaunches {
  const {slices, gpuOperations} = trace;
  const {sites, credit, ranges} = attribution;
  const found = new TableBuilder(launchSchema, 64);
  const operators = new StringTable();
  const rows = rowsOfKinds(trace, operatorKinds);
  if (rows.length === 0) return {launches: found.finish(), operators, rangePathOf: () => ''};
  const builder = new StackTreeBuilder();
  const {node: nodeOf} = findStacks(trace, {rows, ids: null, scopeOfTrack: threadScopes(trace)}, sites.slice, builder);
  const tree = builder.finish();
  const {nameOf, pathOf} = operatorTexts(trace, rows, tree, operators);
  const paths = comparedPaths(trace, ranges);
  const {rows: operations, offsets} = groupRows(
    sites.siteOf.map((site, operation) => (stepOf[operation] < 0 ? -1 : site)),
    sites.slice.length,
  );
  const nameAt = (at: number) => slices.name[gpuOperations.slice[operations[at]]];
  for (let site = 0; site < sites.slice.length; site++) {
    const [node, first, end] = [nodeOf[site], offsets[site], offsets[site + 1]];
    if (node < 0 || first === end || !areEqual(first, end, nameAt)) continue;
    const range = Math.max(-1, credit.range[site]);
    found.push({
      ...{operation: gpuOperations.slice[operations[first]], times: end - first, call: tree.range[node]},
      ...{operator: nameOf[node], operatorPath: pathOf[node]},
      ...{range, rangePath: range < 0 ? -1 : paths.groupOf[range]},
      ...{track: slices.track[sites.slice[site]], step: stepOf[operations[first]]},
    });
  }
  return {launches: found.finish(), operators, rangePathOf: path => (path < 0 ? '' : paths.namesOf(path).join('/'))};
}

function areEqual(first: number, end: number, nameAt: (at: number) => number): boolean {
  for (let at = first + 1; at < end; at++) if (nameAt(at) !== nameAt(first)) return false;
  return true;
}

/** Returns, by node, the name of its operator and the names from the outermost one to it, as indices of `texts`. */
function operatorTexts(
  trace: Trace,
  rows: Int32Array,
  {length, range, parent}: StackTree,
  texts: StringTable,
): {nameOf: Int32Array; pathOf: Int32Array} {
  const comparedText = comparedTexts(trace);
  const ofName = new Map<number, number>();
  const nameOf = new Int32Array(length);
  const pathOf = new Int32Array(length);
  const known = new PairIndex();
  // Parents precede children.
  for (let node = 0; node < length; node++) {
    const name = trace.slices.name[rows[range[node]]];
    nameOf[node] = getOrAdd(ofName, name, () => texts.intern(comparedText(name)));
    if (parent[node] < 0) pathOf[node] = nameOf[node];
    else {
      const around = pathOf[parent[node]];
      let path = known.get(around, nameOf[node]);
      if (path < 0) {
        path = texts.intern(`${texts.get(around)}/${texts.get(nameOf[node])}`);
        known.set(around, nameOf[node], path);
      }
      pathOf[node] = path;
    }
  }
  return {nameOf, pathOf};
}
