import type {WholeColumn} from '../table/table.js';

/**
 * Events on threads as PyTorch nests them, each before its children.
 *
 *     node  slice  startNs  endNs  parent
 *        0     17        0   9000      -1
 *        1     18     1000   3000       0
 */
export interface CpuTree {
  readonly length: number;
  readonly slice: Int32Array;
  readonly startNs: Float64Array;
  readonly endNs: Float64Array;
  readonly parent: Int32Array;
}

/**
 * Nests the slices of each list, which are in order of start, the longer first.
 *
 * A slice that begins when another ends, or ends after it, is not inside it: if two overlap, the parent of the later
 * one is the slice that encloses it entirely. Of equal slices the earlier one is the parent.
 *
 * @see torch/autograd/profiler_util.py, EventList._build_tree
 */
export function nestSlices(lists: readonly Int32Array[], startOf: Float64Array, durationOf: WholeColumn): CpuTree {
  const length = lists.reduce((sum, list) => sum + list.length, 0);
  const tree = {
    length,
    slice: new Int32Array(length),
    startNs: new Float64Array(length),
    endNs: new Float64Array(length),
    parent: new Int32Array(length).fill(-1),
  };
  const {slice, startNs, endNs, parent} = tree;
  const open: number[] = [];
  let node = 0;
  for (const list of lists) {
    open.length = 0;
    for (const row of list) {
      slice[node] = row;
      startNs[node] = startOf[row];
      endNs[node] = startOf[row] + durationOf[row];
      while (open.length > 0) {
        const top = open[open.length - 1];
        if (startNs[node] < endNs[top] && endNs[node] <= endNs[top]) break;
        open.pop();
      }
      if (open.length > 0) parent[node] = open[open.length - 1];
      open.push(node++);
    }
  }
  return tree;
}

/**
 * Returns node → the node that represents it: itself, or the enclosing node of the same name whose only child it is.
 *
 * PyTorch counts a function that does nothing but call itself once. The representing node takes over the children.
 *
 * @param nameOf node → number of its name
 * @see torch/autograd/profiler_util.py, EventList._remove_dup_nodes
 */
export function foldRecursion({length, parent}: CpuTree, nameOf: Int32Array): Int32Array {
  const standIn = new Int32Array(length);
  const children = new Int32Array(length);
  for (let node = 0; node < length; node++) if (parent[node] >= 0) children[parent[node]]++;
  // Parents come first, so that a chain is folded into its first node.
  for (let node = 0; node < length; node++) {
    standIn[node] = node;
    if (parent[node] < 0) continue;
    const around = standIn[parent[node]];
    if (nameOf[around] !== nameOf[node] || children[around] !== 1) continue;
    standIn[node] = around;
    children[around] = children[node];
  }
  return standIn;
}
