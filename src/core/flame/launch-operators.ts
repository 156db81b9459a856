import {findStacks, threadScopes} from '../attribution/find-stacks.js';
import {StackTreeBuilder, type StackTree} from '../attribution/open-ranges.js';
import {rowsOfKinds} from '../attribution/rows-of-kinds.js';
import {foldName} from '../names/operator-name.js';
import {TextGroups} from '../figures/group-index.js';
import {PairIndex} from '../table/pair-index.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * The PyTorch operators around each launch, and the paths of their names. Sites below operators with the same names
 * share a path, so that a block is looked up once for all operators of a site.
 *
 *     path  name             parent
 *        0  "aten::linear"       -1
 *        1  "aten::addmm"         0   aten::linear > aten::addmm
 */
export interface LaunchOperators {
  /** Site → node of its stack, -1 for none. */
  readonly node: Int32Array;
  /** Node → row of the slices table. */
  readonly slice: Int32Array;
  /** Node → the node around it, -1 for none. */
  readonly parent: Int32Array;
  /** Site → path of the names of its whole stack, -1 for none. */
  readonly path: Int32Array;
  /** Site → the longest operator of its stack, 0 for none. */
  readonly longestNs: Float64Array;
  readonly paths: readonly OperatorPath[];
}

/** The name of an operator around a launch, and its path. */
interface OperatorPath {
  readonly name: string;
  /** The surrounding path, -1 for none. */
  readonly parent: number;
}

/**
 * Returns the operators around launches.
 *
 * @param sites rows of the slices table @throws TraceError `trace/too-many-open-ranges`
 */
export function launchOperators(trace: Trace, sites: Int32Array): LaunchOperators {
  const rows = rowsOfKinds(trace, new Set<SliceKind>(['cpu_op']));
  const builder = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows, ids: null, scopeOfTrack: threadScopes(trace)}, sites, builder);
  const {range, parent} = builder.finish();
  const slice = new Int32Array(range.length);
  for (let at = 0; at < slice.length; at++) slice[at] = rows[range[at]];
  const {pathOf, longestNsOf, paths} = pathsOfStacks(trace, slice, parent);
  const path = new Int32Array(node.length).fill(-1);
  const longestNs = new Float64Array(node.length);
  for (let site = 0; site < node.length; site++) {
    if (node[site] < 0) continue;
    path[site] = pathOf[node[site]];
    longestNs[site] = longestNsOf[node[site]];
  }
  return {node, slice, parent: parent.slice(), path, longestNs, paths};
}

/** Returns path and longest operator of each node. Parents precede children. */
function pathsOfStacks(
  {slices, strings}: Trace,
  slice: Int32Array,
  parent: StackTree['parent'],
): {pathOf: Int32Array; longestNsOf: Float64Array; paths: OperatorPath[]} {
  const pathOf = new Int32Array(slice.length);
  const longestNsOf = new Float64Array(slice.length);
  const paths: OperatorPath[] = [];
  const index = new PairIndex();
  const folded = new TextGroups();
  const foldedOf = new Int32Array(strings.length).fill(-1);
  for (let node = 0; node < slice.length; node++) {
    const {[node]: around} = parent;
    const name = slices.name[slice[node]];
    if (foldedOf[name] < 0) foldedOf[name] = folded.index(foldName(strings.get(name)));
    const aroundPath = around < 0 ? -1 : pathOf[around];
    let path = index.get(aroundPath, foldedOf[name]);
    if (path < 0) {
      path = paths.push({name: folded.texts[foldedOf[name]], parent: aroundPath}) - 1;
      index.set(aroundPath, foldedOf[name], path);
    }
    pathOf[node] = path;
    longestNsOf[node] = Math.max(slices.durationNs[slice[node]], around < 0 ? 0 : longestNsOf[around]);
  }
  return {pathOf, longestNsOf, paths};
}
