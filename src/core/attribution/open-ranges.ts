import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';
import {doubled} from '../table/doubled.js';
import {trim} from '../table/table.js';

/**
 * Stacks of ranges as a tree that shares common parts: a node is a range on top of its parent's stack.
 *
 *      node  range  parent
 *         0      0      -1   step
 *         1      1       0   step > layer_0
 *         2      4       0   step > layer_1
 *
 * Parents precede children. A range has a node for each stack that it is on top of: several if ranges overlap without
 * nesting, none if no site is in it.
 */
export interface StackTree {
  readonly length: number;
  readonly range: Int32Array;
  readonly parent: Int32Array;
}

/** Grows a `StackTree`. */
export class StackTreeBuilder {
  #range = new Int32Array(1024);
  #parent = new Int32Array(1024);
  #length = 0;

  add(range: number, parent: number): number {
    if (this.#length === this.#range.length) {
      this.#range = doubled(this.#range);
      this.#parent = doubled(this.#parent);
    }
    this.#range[this.#length] = range;
    this.#parent[this.#length] = parent;
    return this.#length++;
  }

  /** The tree so far; more may be added. */
  soFar(): StackTree {
    const range = this.#range.subarray(0, this.#length);
    return {length: this.#length, range, parent: this.#parent.subarray(0, this.#length)};
  }

  /** Returns the tree in trimmed arrays. Do not use the builder, or trees it returned before, afterwards. */
  finish(): StackTree {
    return {length: this.#length, range: trim(this.#range, this.#length), parent: trim(this.#parent, this.#length)};
  }
}

/**
 * Real ranges nest less than a thousand deep, so only malicious files need this many extra steps, which take a second
 * or two.
 */
const mostSteps = 200_000_000;

/**
 * The ranges that are open at a moment that only moves forward, outermost first: in the order of their start.
 *
 * If ranges nest, a look-up takes one step: all open ranges enclose an event that begins now and ends before the first
 * of them ends. Ranges that overlap without nesting leave ended ranges below open ones, and each costs a step.
 */
export class OpenRanges {
  #depth = 0;
  #range = new Int32Array(64);
  #durationNs = new Float64Array(64);
  #endNs = new Float64Array(64);
  /** The earliest end among a range and the ranges below it. */
  #leastEndNs = new Float64Array(64);
  /** Position of the shortest among a range and the ranges below it; of equal ones the uppermost. */
  #shortest = new Int32Array(64);
  /** Node of the stack of a range and all below it, -1 if it was not requested. */
  #node = new Int32Array(64);
  /** The node of a range on another stack, and the parent of that node. */
  #otherNode = new Int32Array(64);
  #otherParent = new Int32Array(64);
  #steps = 0;

  /** @param tree null if no stacks are needed */
  constructor(private readonly tree: StackTreeBuilder | null) {}

  clear(): void {
    this.#depth = 0;
  }

  /** Moves forward: ranges that end before `ns` are no longer open. */
  moveTo(ns: number): void {
    let depth = this.#depth;
    while (depth > 0 && this.#endNs[depth - 1] < ns) depth--;
    this.#depth = depth;
    if (depth > 0 && this.#leastEndNs[depth - 1] < ns) this.#removeEnded(ns);
  }

  /** Opens a range at the current moment. */
  open(range: number, durationNs: number, endNs: number): void {
    if (this.#depth === this.#range.length) this.#grow();
    this.#put(this.#depth++, range, durationNs, endNs);
  }

  /** Returns the shortest open range that ends at `endNs` or later, the uppermost of equal ones; -1 for none. */
  innermost(endNs: number): number {
    const top = this.#depth - 1;
    if (top < 0) return -1;
    if (this.#leastEndNs[top] >= endNs) return this.#range[this.#shortest[top]];
    let best = -1;
    for (let at = 0; at <= top; at++) {
      if (this.#endNs[at] < endNs) continue;
      if (best < 0 || this.#durationNs[at] <= this.#durationNs[best]) best = at;
    }
    this.#countSteps(top);
    return best < 0 ? -1 : this.#range[best];
  }

  /** Returns the node of the stack of all open ranges that end at `endNs` or later; -1 if there are none, or no tree. */
  stack(endNs: number): number {
    const top = this.#depth - 1;
    if (top < 0 || this.tree === null) return -1;
    this.#countSteps(top);
    if (this.#leastEndNs[top] >= endNs) return this.#nodeAt(this.tree, top);
    let at = 0;
    while (this.#leastEndNs[at] >= endNs) at++;
    let node = at === 0 ? -1 : this.#nodeAt(this.tree, at - 1);
    for (; at <= top; at++) {
      if (this.#endNs[at] < endNs) continue;
      if (this.#otherNode[at] < 0 || this.#otherParent[at] !== node) {
        this.#otherParent[at] = node;
        this.#otherNode[at] = this.tree.add(this.#range[at], node);
      }
      node = this.#otherNode[at];
    }
    return node;
  }

  #nodeAt(tree: StackTreeBuilder, position: number): number {
    let at = position;
    while (at >= 0 && this.#node[at] < 0) at--;
    let node = at < 0 ? -1 : this.#node[at];
    while (at < position) this.#node[++at] = node = tree.add(this.#range[at], node);
    return node;
  }

  #removeEnded(ns: number): void {
    const end = this.#depth;
    let depth = 0;
    for (let at = 0; at < end; at++) {
      if (this.#endNs[at] < ns) continue;
      // Ranges below the first removed one keep their stacks.
      if (depth < at) this.#put(depth, this.#range[at], this.#durationNs[at], this.#endNs[at]);
      depth++;
    }
    this.#depth = depth;
    this.#countSteps(end);
  }

  #put(at: number, range: number, durationNs: number, endNs: number): void {
    const isNotShorter = at > 0 && this.#durationNs[this.#shortest[at - 1]] < durationNs;
    this.#range[at] = range;
    this.#durationNs[at] = durationNs;
    this.#endNs[at] = endNs;
    this.#leastEndNs[at] = at > 0 && this.#leastEndNs[at - 1] < endNs ? this.#leastEndNs[at - 1] : endNs;
    this.#shortest[at] = isNotShorter ? this.#shortest[at - 1] : at;
    this.#node[at] = -1;
    this.#otherNode[at] = -1;
  }

  /** Counts steps, with the depth of a stack as its steps, since callers walk stacks to sum them. */
  #countSteps(steps: number): void {
    this.#steps += steps;
    if (this.#steps <= mostSteps) return;
    throw new TraceError(
      'trace/too-many-open-ranges',
      say('Too many ranges are open at once in this profile to tell which work belongs to which.'),
    );
  }

  #grow(): void {
    this.#range = doubled(this.#range);
    this.#durationNs = doubled(this.#durationNs);
    this.#endNs = doubled(this.#endNs);
    this.#leastEndNs = doubled(this.#leastEndNs);
    this.#shortest = doubled(this.#shortest);
    this.#node = doubled(this.#node);
    this.#otherNode = doubled(this.#otherNode);
    this.#otherParent = doubled(this.#otherParent);
  }
}
