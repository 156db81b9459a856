import type {RangeStack} from '../attribution/range-stack.js';
import type {ModulesShown} from '../figures/modules-shown.js';
import type {Table} from '../table/table.js';
import type {ShownDifference} from './flame-difference.js';
import type {Selection} from '../scope/selection.js';

/** What the width of a block is. @see docs/metrics.md#flame */
export const flameWeights = ['gpu-work', 'gpu-busy', 'cpu', 'launches', 'bytes', 'memory'] as const;
export type FlameWeight = (typeof flameWeights)[number];

/** Whether a weight is of what threads do, with operators as ranges, and not of GPU operations. */
export function isOfThreads(weight: FlameWeight): weight is 'cpu' | 'memory' {
  return weight === 'cpu' || weight === 'memory';
}

/**
 * How blocks are put together: one for all of a call path, one for each run in time, paths from the inside out, or the
 * callers and callees of one name.
 */
export const flameModes = ['merged', 'time', 'inverted', 'sandwich'] as const;
export type FlameMode = (typeof flameModes)[number];

/** Which work counts: all, or what is (not) credited as backward work. */
export const flamePasses = ['all', 'forward', 'backward'] as const;
export type FlamePass = (typeof flamePasses)[number];

/** What stands above a GPU operation, and the operation itself: each level may be left out. */
export const flameLevels = ['ranges', 'modules', 'operators', 'operations'] as const;
export type FlameLevel = (typeof flameLevels)[number];

/** What a block of the flame graph stands for. */
export const flameKinds = ['root', 'range', 'backward', 'bucket', 'operator', 'operation', 'idle'] as const;
export type FlameKind = (typeof flameKinds)[number];

/** The levels that are shown where none are asked for. */
export function usualLevels(modules: ModulesShown): readonly FlameLevel[] {
  return modules === 'shown' ? flameLevels : flameLevels.filter(level => level !== 'modules');
}

/** A question for a flame graph. */
export interface FlameQuery {
  readonly weight: FlameWeight;
  readonly mode?: FlameMode;
  /** Absent: all that the profile shows without being asked; modules where no person's range is. */
  readonly levels?: readonly FlameLevel[];
  readonly pass?: FlamePass;
  /**
   * One block for siblings whose names differ by a number only, and for identical layers, with the spread of what it holds.
   * Absent: for identical layers where modules are shown.
   */
  readonly isFolded?: boolean;
  /** The name whose callers and callees a sandwich shows; without it, the name with the most of its own. */
  readonly focus?: string;
  readonly selection?: Selection;
  /** What the range of the selection is one of; a block of the picture where absent. */
  readonly stack?: RangeStack;
}

/** The side of the root that a block is on: 1 for callers in a sandwich, which stand above it. */
export const callerSide = 1;

/**
 * A node per block, parents before children; row 0 is the root. Every figure is of the block and all below it, but
 * `self`.
 *
 *     row  parent  name          kind       side  self  total  workNs  busyNs  operations  instances  members
 *      0       -1  "GPU work"    root          0     0   9000    9000    8000          12          0        0
 *      1        0  "train_step"  range         0     0   9000    9000    8000          12          3        0
 *      2        1  "gemm"        operation     0  9000   9000    9000    8000          12          0        0
 *
 * `self` and `total` are in the weight's unit. `busyNs` is NaN by CPU wall time, `firstNs` to `lastNs` is NaN for idle
 * time. `instances` counts ranges, 0 where a block is no whole range. `slice` is the first slice of the trace that it
 * stands for, -1 for none. `members` is how many names a folded block holds, `least` and `most` the totals of the
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
  /** What the picture does not show. */
  readonly notes: readonly string[];
  /** Where it is one of two runs: what the blocks differ by. */
  readonly difference?: ShownDifference;
}

/** The name of a block. */
export function flameName({names, nodes}: FlameGraph, node: number): string {
  return names[nodes.name[node]] ?? '';
}

/** The block that a path of names leads to, or as far along it as there are blocks; 0, the root, for none. */
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

/** Names from the outermost block below the root down to `node`; of the root its own. */
export function flamePath(graph: FlameGraph, node: number, most = Infinity): string[] {
  const path: string[] = [];
  for (let at = node; at > 0 && path.length < most; at = graph.nodes.parent[at]) path.push(flameName(graph, at));
  return path.length > 0 ? path.reverse() : [flameName(graph, 0)];
}
