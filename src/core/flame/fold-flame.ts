import {numberless} from '../names/operator-name.js';
import {moduleOfRange} from '../source/module-forward.js';
import {flameKinds, type FlameKind} from './flame-graph.js';
import {FlameTreeBuilder, type FlameTree} from './flame-tree.js';

/** A tree made from another one, with the mapping of the old blocks. */
export interface ChangedTree {
  readonly tree: FlameTree;
  /** Old block → new block that contains its own weight, -1 for none. */
  readonly nodeOf: Int32Array;
}

/** The contents of a folded block. */
export interface Spread {
  /** Number of names folded into it. */
  readonly members: number;
  /** Totals of its smallest and its largest member. */
  readonly least: number;
  readonly most: number;
}

/**
 * Merges siblings whose names differ only by a number, such as repeated layers, into one block. Blocks below them are
 * merged, too. Operations keep their names, because numbers in kernel names are sizes. Modules also keep theirs,
 * because `blockNames` folds them.
 *
 * @param totals the weight of each block of `tree`, including everything below it
 */
export function foldFlame(tree: FlameTree, totals: Float64Array): ChangedTree & {spreads: ReadonlyMap<number, Spread>} {
  const {length, parent, name, kind, names} = tree;
  const builder = new FlameTreeBuilder(names[name[0]]);
  const nodeOf = new Int32Array(length);
  const totalsOfMember = new Map<number, Map<number, number>>();
  const patterns = names.map(numberless);
  // Level by level: whether a name is folded depends on its siblings, which may have been merged by folding their
  // parents.
  for (const level of levelsOf(tree)) {
    const namesOfPattern = new Map<string, Set<number>>();
    for (const node of level) {
      const key = keyOf(node);
      namesOfPattern.set(key, (namesOfPattern.get(key) ?? new Set()).add(name[node]));
    }
    for (const node of level) {
      const isFolded = isFoldable(node) && hasSeveral(namesOfPattern.get(keyOf(node)));
      const text = isFolded ? patterns[name[node]] : names[name[node]];
      const folded = builder.child(nodeOf[parent[node]], builder.name(text), kindOf(node));
      nodeOf[node] = folded;
      if (!isFolded) continue;
      const members = totalsOfMember.get(folded) ?? new Map<number, number>();
      totalsOfMember.set(folded, members.set(name[node], (members.get(name[node]) ?? 0) + totals[node]));
    }
  }
  const spreads = new Map<number, Spread>();
  for (const [node, members] of totalsOfMember) spreads.set(node, spreadOf([...members.values()]));
  return {tree: builder.finish(), nodeOf, spreads};

  function keyOf(node: number): string {
    return `${String(nodeOf[parent[node]])} ${String(kind[node])} ${patterns[name[node]]}`;
  }

  /** Returns whether a node may be folded. Modules were already folded by their contents. */
  function isFoldable(node: number): boolean {
    return foldableKinds.has(kindOf(node)) && moduleOfRange(names[name[node]]) === null;
  }

  function kindOf(node: number): FlameKind {
    return flameKinds[kind[node]];
  }
}

const foldableKinds = new Set<FlameKind>(['range', 'operator']);

function hasSeveral(names: ReadonlySet<number> | undefined): boolean {
  return names !== undefined && names.size > 1;
}

/** Returns the spread of members with these totals. */
export function spreadOf(totals: readonly number[]): Spread {
  let least = Infinity;
  let most = -Infinity;
  for (const total of totals) {
    least = Math.min(least, total);
    most = Math.max(most, total);
  }
  return {members: totals.length, least, most};
}

/** Returns blocks by depth, without the root. */
function levelsOf({length, parent}: FlameTree): number[][] {
  const depth = new Int32Array(length);
  const levels: number[][] = [];
  for (let node = 1; node < length; node++) {
    depth[node] = depth[parent[node]] + 1;
    (levels[depth[node] - 1] ??= []).push(node);
  }
  return levels;
}
