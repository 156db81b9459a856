import {dependencyKinds, momentKinds, type DependencyKind, type ReplayGraph} from './replay-graph.js';
import type {Simulation} from './simulate.js';
import type {SimulatedWindow} from './replay-windows.js';

/** A graph, and its moments of each GPU operation; -1 if the operation is not in it. */
export interface PathGraph {
  readonly graph: ReplayGraph;
  readonly operationStart: Int32Array;
  readonly operationEnd: Int32Array;
}

/** A piece of a critical path: what a moment waited for, and the ns of it inside the window. */
export interface PathPiece {
  readonly kind: DependencyKind;
  /** Rows of the moments. */
  readonly from: number;
  readonly to: number;
  readonly ns: number;
}

/**
 * Returns how a window's time was spent, from its end backwards: at every moment, the dependency that held it. The
 * pieces add up to the window, unless a moment had no dependency and came at the origin.
 */
export function criticalPath(
  {dependencies}: ReplayGraph,
  {atNs, heldBy}: Simulation,
  {startNs, endMoment}: SimulatedWindow,
): PathPiece[] {
  const pieces: PathPiece[] = [];
  let moment = endMoment;
  // A moment is on a path only once, unless there is a cycle.
  for (let left = atNs.length; left > 0 && heldBy[moment] >= 0 && atNs[moment] > startNs; left--) {
    const held = heldBy[moment];
    const from = dependencies.from[held];
    const ns = atNs[moment] - Math.max(startNs, atNs[from]);
    if (ns !== 0) pieces.push({kind: dependencyKinds[dependencies.kind[held]], from, to: moment, ns});
    moment = from;
  }
  return pieces.reverse();
}

/** Returns whether a moment is an end of a GPU operation. */
export function isOfOperation({moments}: ReplayGraph, moment: number): boolean {
  const kind = momentKinds[moments.kind[moment]];
  return kind === 'operationStart' || kind === 'operationEnd';
}
