import {doubled} from '../table/doubled.js';
import {PairIndex} from '../table/pair-index.js';
import type {StackTree} from './open-ranges.js';

/**
 * The groups of the ranges of a stack, each once, outermost first: a tree of chains, as `StackTree` is a tree of
 * stacks.
 *
 * Stacks with the same groups share a chain, so there are as many chains as paths, however many ranges there are.
 */
export class GroupChains {
  #group = new Int32Array(256);
  #parent = new Int32Array(256);
  #length = 0;
  readonly #inside = new PairIndex();

  get length(): number {
    return this.#length;
  }

  /** Chain → its innermost group. Read it again after adding a chain: growing replaces the array. */
  get group(): Int32Array {
    return this.#group;
  }

  /** Chain → the chain without that group, -1 for none. Parents precede children. */
  get parent(): Int32Array {
    return this.#parent;
  }

  /** Returns the chain that adds `group` to a chain: the chain itself if the group is -1 or already on it. */
  inside(chain: number, group: number): number {
    if (group < 0) return chain;
    const found = this.#inside.get(chain, group);
    if (found >= 0) return found;
    if (!this.#has(chain, group)) return this.#child(chain, group);
    this.#inside.set(chain, group, chain);
    return chain;
  }

  /** Does the same for a group that is not on the chain. */
  #child(chain: number, group: number): number {
    let found = this.#inside.get(chain, group);
    if (found >= 0) return found;
    found = this.#add(chain, group);
    this.#inside.set(chain, group, found);
    return found;
  }

  /**
   * Stack → chain of its ranges' groups. The walk is depth first, so that a set of the open groups shows whether a
   * group is around: stacks may be 100,000 ranges deep.
   */
  ofStacks({length, range, parent}: StackTree, groupOf: Int32Array): Int32Array {
    const chainOf = new Int32Array(length);
    const isAround = new Set<number>();
    /** The stacks around the current one, each with the group that it added to the chain, -1 for none. */
    const around: {readonly node: number; readonly group: number}[] = [];
    for (const node of depthFirst(parent.subarray(0, length))) {
      while (around.length > 0 && around[around.length - 1].node !== parent[node]) {
        isAround.delete(around.pop()?.group ?? -1);
      }
      const chain = parent[node] < 0 ? -1 : chainOf[parent[node]];
      const group = groupOf[range[node]];
      const isNew = group >= 0 && !isAround.has(group);
      chainOf[node] = isNew ? this.#child(chain, group) : chain;
      if (isNew) isAround.add(group);
      around.push({node, group: isNew ? group : -1});
    }
    return chainOf;
  }

  /** Returns the chain of the groups of `chain`, followed by those of `added`. */
  joined(chain: number, added: number): number {
    let result = chain;
    for (const group of this.#outwards(added).reverse()) result = this.inside(result, group);
    return result;
  }

  /** Returns the chain of the groups of `chain` that are not on `others`. */
  without(chain: number, others: number): number {
    if (chain < 0 || others < 0) return chain;
    let result = -1;
    for (const group of this.#outwards(chain).reverse())
      if (!this.#has(others, group)) result = this.inside(result, group);
    return result;
  }

  #outwards(chain: number): number[] {
    const groups: number[] = [];
    for (let at = chain; at >= 0; at = this.#parent[at]) groups.push(this.#group[at]);
    return groups;
  }

  #has(chain: number, group: number): boolean {
    for (let at = chain; at >= 0; at = this.#parent[at]) if (this.#group[at] === group) return true;
    return false;
  }

  #add(parent: number, group: number): number {
    if (this.#length === this.#group.length) {
      this.#group = doubled(this.#group);
      this.#parent = doubled(this.#parent);
    }
    this.#group[this.#length] = group;
    this.#parent[this.#length] = parent;
    return this.#length++;
  }
}

/** Returns the nodes of a tree, each after its parent and before the parent's next child. */
function depthFirst(parent: Int32Array): Int32Array {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const nextSibling = new Int32Array(parent.length).fill(-1);
  let firstRoot = -1;
  for (let node = parent.length - 1; node >= 0; node--) {
    const around = parent[node];
    nextSibling[node] = around < 0 ? firstRoot : firstChild[around];
    if (around < 0) firstRoot = node;
    else firstChild[around] = node;
  }
  const order = new Int32Array(parent.length);
  const waiting = [firstRoot];
  for (let at = 0; at < order.length; at++) {
    let node = waiting.pop() ?? -1;
    while (node < 0) node = waiting.pop() ?? -1;
    order[at] = node;
    waiting.push(nextSibling[node], firstChild[node]);
  }
  return order;
}
