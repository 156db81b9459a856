import {PairIndex} from '../table/pair-index.js';
import {TableBuilder, type Table} from '../table/table.js';
import {flameKinds, type FlameKind} from './flame-graph.js';

/** A node per block, parents before children; row 0 is the root. */
const flameTreeSchema = {parent: 'i32', name: 'i32', kind: 'u8', side: 'u8'} as const;
export type FlameTree = Table<typeof flameTreeSchema> & {readonly names: readonly string[]};

/** More blocks than this cannot be told apart, and would be sent to a view unnecessarily. */
export const mostBlocks = 400_000;

/** Builds a tree of blocks. Siblings of one name and kind become one block, except in time order. */
export class FlameTreeBuilder {
  readonly #nodes = new TableBuilder(flameTreeSchema, 256);
  readonly #names: string[] = [];
  readonly #nameIndex = new Map<string, number>();
  readonly #nodeByKey = new PairIndex();
  /** Node → the child added last, and its instance: in time order, only that child grows. */
  readonly #last: number[] = [];
  readonly #instance: number[] = [];
  #isFull = false;

  constructor(
    rootName: string,
    private readonly isInTimeOrder = false,
    private readonly limit = mostBlocks,
  ) {
    this.#push(-1, this.name(rootName), flameKinds.indexOf('root'), 0);
  }

  get length(): number {
    return this.#nodes.length;
  }

  /** Whether blocks were omitted, so that their contents are in the blocks around them. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Returns the number of a name in this tree. */
  name(text: string): number {
    let index = this.#nameIndex.get(text);
    if (index === undefined) this.#nameIndex.set(text, (index = this.#names.push(text) - 1));
    return index;
  }

  /**
   * Returns the child of `parent` with this name and kind, which is created if needed; in time order, the last child if
   * it has the same instance. Returns `parent` itself if the tree is full.
   */
  child(parent: number, name: number, kind: FlameKind, instance = -1, side = 0): number {
    const kindIndex = flameKinds.indexOf(kind);
    if (this.isInTimeOrder) {
      const last = this.#last[parent];
      const {columns} = this.#nodes;
      const isSame = last >= 0 && columns.name[last] === name && columns.kind[last] === kindIndex;
      return isSame && this.#instance[last] === instance ? last : this.#add(parent, name, kindIndex, side, instance);
    }
    const key = (name * flameKinds.length + kindIndex) * 2 + side;
    let node = this.#nodeByKey.get(parent, key);
    if (node < 0) {
      node = this.#add(parent, name, kindIndex, side, instance);
      if (node !== parent) this.#nodeByKey.set(parent, key, node);
    }
    return node;
  }

  finish(): FlameTree {
    return {...this.#nodes.finish(), names: this.#names};
  }

  #add(parent: number, name: number, kind: number, side: number, instance: number): number {
    if (this.#nodes.length >= this.limit) {
      this.#isFull = true;
      return parent;
    }
    const node = this.#push(parent, name, kind, side);
    this.#instance[node] = instance;
    this.#last[parent] = node;
    return node;
  }

  #push(parent: number, name: number, kind: number, side: number): number {
    this.#last.push(-1);
    this.#instance.push(-1);
    return this.#nodes.push({parent, name, kind, side});
  }
}
