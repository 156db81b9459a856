import {callerSide, flameKinds} from './flame-graph.js';
import {FlameTreeBuilder, type FlameTree} from './flame-tree.js';
import type {ChangedTree} from './fold-flame.js';

/** Returns paths from the inside out: below the root, blocks with weight of their own; below each, its callers. */
export function invertFlame(tree: FlameTree, hasOwn: Uint8Array): ChangedTree {
  const builder = new FlameTreeBuilder(tree.names[tree.name[0]]);
  const nodeOf = new Int32Array(tree.length).fill(-1);
  for (let node = 0; node < tree.length; node++) {
    if (hasOwn[node] === 1) nodeOf[node] = addCallers(builder, tree, node, 0, 0);
  }
  return {tree: builder.finish(), nodeOf};
}

/** A sandwich, with the mapping of blocks to both sides of the root. */
export interface Sandwich {
  readonly tree: FlameTree;
  /** Old block → its block below the root, -1 if it is not below the focus. */
  readonly calleeOf: Int32Array;
  /** Old block → the block of its outermost caller; the root for none, -1 as above. */
  readonly callerOf: Int32Array;
}

/**
 * Returns the callers of a name above the root, and its callees below, from all places where it occurs. If it nests in
 * itself, the outermost block represents all, so that nothing counts twice. The root's name also describes its width.
 */
export function sandwichFlame(tree: FlameTree, focus: string): Sandwich {
  const {length, parent, name, kind, names} = tree;
  const [root] = name;
  const builder = new FlameTreeBuilder(focus === names[root] ? focus : `${focus} · ${names[root]}`);
  const calleeOf = new Int32Array(length).fill(-1);
  const callerOf = new Int32Array(length).fill(-1);
  for (let node = 1; node < length; node++) {
    const outer = parent[node];
    if (calleeOf[outer] >= 0) {
      const called = builder.name(names[name[node]]);
      calleeOf[node] = builder.child(calleeOf[outer], called, flameKinds[kind[node]]);
      callerOf[node] = callerOf[outer];
    } else if (names[name[node]] === focus) {
      calleeOf[node] = 0;
      callerOf[node] = addCallers(builder, tree, outer, 0, callerSide);
    }
  }
  return {tree: builder.finish(), calleeOf, callerOf};
}

/** Returns the block at the end of the chain of `node`, its caller, and so on outwards. */
function addCallers(builder: FlameTreeBuilder, tree: FlameTree, node: number, from: number, side: number): number {
  const {parent, name, kind, names} = tree;
  let place = from;
  for (let at = node; at > 0; at = parent[at]) {
    place = builder.child(place, builder.name(names[name[at]]), flameKinds[kind[at]], -1, side);
  }
  return place;
}
