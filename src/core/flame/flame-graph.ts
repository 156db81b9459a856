import type {RangeStack} from '../attribution/range-stack.js';
import type {ModulesShown} from '../figures/modules-shown.js';
import type {Table} from '../table/table.js';
import type {ShownDifference} from './flame-difference.js';
import type {Selection} from '../scope/selection.js';

/** The meanings of a block's width. @see docs/metrics.md#flame */
export const flameWeights = ['gpu-work', 'gpu-busy', 'cpu', 'launches', 'bytes', 'memory'] as const;
export type FlameWeight = (typeof flameWeights)[number];

/** Returns whether a weight describes threads, with operators as ranges, rather than GPU operations. */
export function isOfThreads(weight: FlameWeight): weight is 'cpu' | 'memory' {
  return weight === 'cpu' || weight === 'memory';
}

/**
 * How blocks are merged: by call path; by run in time; by path from the inside out; or as callers and callees of one
 * name.
 */
export const flameModes = ['merged', 'time', 'inverted', 'sandwich'] as const;
export type FlameMode = (typeof flameModes)[number];

/** The included work: all, or work that is, or is not, credited as backward. */
export const flamePasses = ['all', 'forward', 'backward'] as const;
export type FlamePass = (typeof flamePasses)[number];

/** The levels above a GPU operation, and the operation itself. Each may be omitted. */
export const flameLevels = ['ranges', 'modules', 'operators', 'operations'] as const;
export type FlameLevel = (typeof flameLevels)[number];

/** The kinds of blocks. */
export const flameKinds = ['root', 'range', 'backward', 'bucket', 'operator', 'operation', 'idle'] as const;
export type FlameKind = (typeof flameKinds)[number];

/** Returns the default levels. */
export function usualLevels(modules: ModulesShown): readonly FlameLevel[] {
  return modules === 'shown' ? flameLevels : flameLevels.filter(level => level !== 'modules');
}

/** The parameters of a flame graph. */
export interface FlameQuery {
  readonly weight: FlameWeight;
  readonly mode?: FlameMode;
  /** Absent: the profile's default levels; modules if the user has no ranges. */
  readonly levels?: readonly FlameLevel[];
  readonly pass?: FlamePass;
  /**
   * Whether siblings whose names differ only by a number, and identical layers, become one block, with the spread of
   * its members. Absent: identical layers do, if modules are shown.
   */
  readonly isFolded?: boolean;
  /** The name whose callers and callees a sandwich shows; if absent, the name with the most weight of its own. */
  readonly focus?: string;
  readonly selection?: Selection;
  /** The kind of the selection's range; a block of the picture if absent. */
  readonly stack?: RangeStack;
}

/** The side of the root that a block is on: 1 for callers in a sandwich, which are above the root. */
export const callerSide = 1;

/**
 * A node per block, parents before children; row 0 is the root. All figures except `self` include everything below the
 * block.
 *
 *     row  parent  name          kind       side  self  total  workNs  busyNs  operations  instances  members
 *      0       -1  "GPU work"    root          0     0   9000    9000    8000          12          0        0
 *      1        0  "train_step"  range         0     0   9000    9000    8000          12          3        0
 *      2        1  "gemm"        operation     0  9000   9000    9000    8000          12          0        0
 *
 * `self` and `total` are in the weight's unit. `busyNs` is NaN for CPU wall time; `firstNs` and `lastNs` are NaN for
 * idle time. `instances` counts ranges; it is 0 if a block is not a whole range. `slice` is the block's first slice of
 * the trace, -1 for none. `members` is the number of names in a folded block, `least` and `most` are the totals of the
 * smallest and largest.
 */
export const flameSchema = {
  self: 'f64',
  total: 'f64',
  workNs: 'f64',
  busyNs: 'f64',
  firstNs: 'f64',
  lastNs: 'f64',
  operations: 'f64',
  instances: 'f64',
  least: 'f64',
  most: 'f64',
  parent: 'i32',
  name: 'i32',
  slice: 'i32',
  members: 'i32',
  kind: 'u8',
  side: 'u8',
} as const;
export type FlameTable = Table<typeof flameSchema>;

export interface FlameGraph {
  readonly weight: FlameWeight;
  readonly mode: FlameMode;
  readonly nodes: FlameTable;
  readonly names: readonly string[];
  /** The root's width, in the weight's unit. */
  readonly total: number;
  /** Notes on what the picture does not show. */
  readonly notes: readonly string[];
  /** For a graph of two runs: how the blocks differ. */
  readonly difference?: ShownDifference;
}

/** Returns the name of a block. */
export function flameName({names, nodes}: FlameGraph, node: number): string {
  return names[nodes.name[node]] ?? '';
}

/**
 * Returns the block at the end of a path of names, or the last block on the path that exists; 0, the root, for none.
 */
export function nodeOfPath(graph: FlameGraph, path: readonly string[]): number {
  const {length, parent} = graph.nodes;
  let at = 0;
  for (const name of path) {
    let next = at + 1;
    // Parents come before children.
    while (next < length && (parent[next] !== at || flameName(graph, next) !== name)) next++;
    if (next >= length) break;
    at = next;
  }
  return at;
}

/** Returns the names from the outermost block below the root down to `node`; for the root, its own name. */
export function flamePath(graph: FlameGraph, node: number, most = Infinity): string[] {
  const path: string[] = [];
  for (let at = node; at > 0 && path.length < most; at = graph.nodes.parent[at]) path.push(flameName(graph, at));
  return path.length > 0 ? path.reverse() : [flameName(graph, 0)];
}
