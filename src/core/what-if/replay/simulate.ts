import {addUp} from '../../table/group-rows.js';
import {dependencyKinds, type DependencyKind, type ReplayGraph} from './replay-graph.js';

/** When each moment of a graph comes, and why. */
export interface Simulation {
  /** Moment → ns from the origin. */
  readonly atNs: Float64Array;
  /** Moment → the dependency that it waited for last, -1 for none. */
  readonly heldBy: Int32Array;
  /** The number of moments that waited for each other in a cycle, and continued anyway: 0 for a sound profile. */
  readonly circular: number;
}

/** How a simulation differs from its graph. */
export interface SimulationChange {
  /** Dependency → ns, instead of the graph's; -Infinity if it does not hold. */
  readonly ns?: Float64Array;
  /** Kinds of dependencies to ignore. */
  readonly without?: ReadonlySet<DependencyKind>;
}

/**
 * Simulates a graph: each moment comes as soon as everything that it waits for allows, which is the longest path from
 * the origin, in O(moments + dependencies). If several dependencies allow it at the same time, the first one holds it.
 */
export function simulate(graph: ReplayGraph, change: SimulationChange = {}): Simulation {
  const {moments, dependencies} = graph;
  const {from, to} = dependencies;
  const count = moments.length;
  const ns = change.ns ?? dependencies.ns;
  const {offsets, out} = outgoing(graph, change.without);
  const atNs = new Float64Array(count);
  const heldBy = new Int32Array(count).fill(-1);
  const order = new MomentQueue(count, out, to);
  while (!order.isDone()) {
    const moment = order.next();
    for (let i = offsets[moment]; i < offsets[moment + 1]; i++) {
      const at = out[i];
      const target = to[at];
      const readyNs = Math.max(0, atNs[from[at]] + ns[at]);
      if (!order.isOpen(target)) continue;
      if (heldBy[target] < 0 || readyNs > atNs[target]) {
        atNs[target] = readyNs;
        heldBy[target] = at;
      }
      order.settle(target);
    }
  }
  return {atNs, heldBy, circular: order.circular};
}

/** Returns, for each moment, its outgoing dependencies: `out[offsets[moment]] … out[offsets[moment + 1] - 1]`. */
function outgoing(
  {moments, dependencies}: ReplayGraph,
  without: ReadonlySet<DependencyKind> = new Set(),
): {offsets: Uint32Array; out: Int32Array} {
  const {length, from, kind} = dependencies;
  const isIn = Uint8Array.from(dependencyKinds, name => (without.has(name) ? 0 : 1));
  const offsets = new Uint32Array(moments.length + 1);
  for (let at = 0; at < length; at++) offsets[from[at] + 1] += isIn[kind[at]];
  addUp(offsets);
  const out = new Int32Array(offsets[moments.length]);
  const next = offsets.slice();
  for (let at = 0; at < length; at++) if (isIn[kind[at]] === 1) out[next[from[at]]++] = at;
  return {offsets, out};
}

/** Moments in topological order: each comes after all that it waits for. */
class MomentQueue {
  readonly #waitsFor: Int32Array;
  readonly #queue: Int32Array;
  readonly #isIn: Uint8Array;
  #head = 0;
  #tail = 0;
  #unseen = 0;
  circular = 0;

  constructor(count: number, out: Int32Array, to: Int32Array) {
    this.#waitsFor = new Int32Array(count);
    this.#queue = new Int32Array(count);
    this.#isIn = new Uint8Array(count);
    for (const at of out) this.#waitsFor[to[at]]++;
    for (let moment = 0; moment < count; moment++) if (this.#waitsFor[moment] === 0) this.#add(moment);
  }

  isDone(): boolean {
    return this.#head === this.#queue.length;
  }

  /** Returns whether a moment is still waiting. */
  isOpen(moment: number): boolean {
    return this.#isIn[moment] === 0;
  }

  next(): number {
    // In a cycle, the first moment continues, so that the others can follow.
    if (this.#head === this.#tail) {
      while (this.#isIn[this.#unseen] === 1) this.#unseen++;
      this.circular++;
      this.#add(this.#unseen);
    }
    return this.#queue[this.#head++];
  }

  /** Records that one thing that a moment waited for has come. */
  settle(moment: number): void {
    if (--this.#waitsFor[moment] === 0) this.#add(moment);
  }

  #add(moment: number): void {
    this.#isIn[moment] = 1;
    this.#queue[this.#tail++] = moment;
  }
}
