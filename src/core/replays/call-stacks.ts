import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder, type StackTree} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The kinds of slices that show who made a call. */
const stackKinds: ReadonlySet<SliceKind> = new Set([
  'user_annotation',
  'nvtx_pushpop',
  'cpu_op',
  'module',
  'python_function',
]);

/** The callers of some calls: ranges, operators, modules and Python frames around each call on its thread. */
export interface CallStacks {
  /** Slice of the call → node of `tree`; absent if nothing is around it. */
  readonly nodeOf: ReadonlyMap<number, number>;
  /** Nodes refer to rows of the slices table. */
  readonly tree: StackTree;
  /** Node → a number that is equal for stacks with the same names. */
  readonly nameOf: Int32Array;
}

/** @param calls rows of the slices table. @throws TraceError `trace/too-many-open-ranges` */
export function callStacks(trace: Trace, calls: Iterable<number>): CallStacks {
  const rows = rowsOfKinds(trace, stackKinds);
  const sites = Int32Array.from(new Set(calls)).sort();
  const builder = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows, ids: rows, scopeOfTrack: threadScopes(trace)}, sites, builder);
  const tree = builder.finish();
  const nodeOf = new Map<number, number>();
  sites.forEach((site, at) => {
    if (node[at] >= 0) nodeOf.set(site, node[at]);
  });
  return {nodeOf, tree, nameOf: namesOfStacks(trace, tree)};
}

function namesOfStacks({slices}: Trace, {range, parent, length}: StackTree): Int32Array {
  const names = new Int32Array(length);
  const known = new Map<string, number>();
  for (let node = 0; node < length; node++) {
    const around = parent[node] < 0 ? -1 : names[parent[node]];
    const key = `${String(around)} ${String(slices.name[range[node]])}`;
    const name = known.get(key) ?? known.size;
    known.set(key, name);
    names[node] = name;
  }
  return names;
}

/** Returns the rows of a stack, the outermost first. */
export function stackRows({range, parent}: StackTree, node: number): number[] {
  const rows: number[] = [];
  for (let at = node; at >= 0; at = parent[at]) rows.push(range[at]);
  return rows.reverse();
}
