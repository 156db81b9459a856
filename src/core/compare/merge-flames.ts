import {flameKinds} from '../flame/flame-graph.js';
import {FlameTreeBuilder, type FlameTree} from '../flame/flame-tree.js';
import {kernelFamily} from '../names/kernel-family.js';
import {numberless} from '../names/operator-name.js';
import {pushAll} from '../table/extremes.js';
import {getOrAdd} from '../table/get-or-add.js';

/** A tree merged from two, with the mapping of their blocks. */
export interface MergedTree {
  readonly tree: FlameTree;
  /** Block of the first tree → block of the merged one. */
  readonly ofFirst: Int32Array;
  readonly ofSecond: Int32Array;
}

/** The children of a merged block on both sides, by the key they are matched by. */
type Siblings = Map<string, readonly [first: number[], second: number[]]>;

/**
 * Merges the blocks of two flame graphs. Below merged blocks, siblings of the same name and kind become one block. Of
 * the others, operators and ranges are matched by their names without numbers, and operations by family, as rows of a
 * comparison are; the rest stay separate. The order of the trees affects only the order of blocks.
 */
export function mergeTrees(rootName: string, first: FlameTree, second: FlameTree): MergedTree {
  const trees = [first, second] as const;
  const childrenOf = trees.map(childrenIn);
  const placed = trees.map(({length}) => new Int32Array(length));
  const builder = new FlameTreeBuilder(rootName, false, Infinity);
  const open: (readonly [block: number, first: readonly number[], second: readonly number[]])[] = [[0, [0], [0]]];
  for (let next = open.pop(); next; next = open.pop()) {
    const [block, ...sides] = next;
    const exact = siblings(sides, exactKey);
    const left: [number[], number[]] = [[], []];
    for (const [, pair] of exact) {
      if (pair[0].length > 0 && pair[1].length > 0) put(block, nameOf(pair), pair);
      else for (const side of [0, 1] as const) pushAll(left[side], pair[side]);
    }
    const loose = group(left, looseKey);
    for (const [key, pair] of loose) {
      if (pair[0].length > 0 && pair[1].length > 0) put(block, `${key.slice(key.indexOf(' ') + 1)} (family)`, pair);
      else
        for (const side of [0, 1] as const)
          for (const node of pair[side]) put(block, nameIn(side, node), alone(side, node));
    }
  }
  return {tree: builder.finish(), ofFirst: placed[0], ofSecond: placed[1]};

  function put(parent: number, name: string, pair: readonly [readonly number[], readonly number[]]): void {
    const [kindOf, node] = pair[0].length > 0 ? [first, pair[0][0]] : [second, pair[1][0]];
    const block = builder.child(parent, builder.name(name), flameKinds[kindOf.kind[node]]);
    for (const side of [0, 1] as const) for (const one of pair[side]) placed[side][one] = block;
    open.push([block, ...pair]);
  }

  function siblings(parents: readonly (readonly number[])[], key: (side: number, node: number) => string): Siblings {
    const nodes = parents.map((list, side) => list.flatMap(parent => childrenOf[side][parent] ?? []));
    return group(nodes, key);
  }

  function group(nodes: readonly (readonly number[])[], key: (side: number, node: number) => string): Siblings {
    const found: Siblings = new Map();
    nodes.forEach((list, side) => {
      for (const node of list)
        getOrAdd(found, key(side, node), (): readonly [number[], number[]] => [[], []])[side].push(node);
    });
    return found;
  }

  function nameIn(side: number, node: number): string {
    const {names, name} = trees[side];
    return names[name[node]];
  }

  function nameOf([ofFirst]: readonly [readonly number[], readonly number[]]): string {
    return nameIn(0, ofFirst[0]);
  }

  function exactKey(side: number, node: number): string {
    return `${String(trees[side].kind[node])} ${nameIn(side, node)}`;
  }

  function looseKey(side: number, node: number): string {
    const {kind} = trees[side];
    const name = nameIn(side, node);
    return `${String(kind[node])} ${flameKinds[kind[node]] === 'operation' ? kernelFamily(name) : numberless(name)}`;
  }
}

function alone(side: 0 | 1, node: number): readonly [number[], number[]] {
  return side === 0 ? [[node], []] : [[], [node]];
}

/** Returns each block's children; absent if it has none. */
function childrenIn({length, parent}: FlameTree): number[][] {
  const children: number[][] = [];
  for (let node = 1; node < length; node++) (children[parent[node]] ??= []).push(node);
  return children;
}
