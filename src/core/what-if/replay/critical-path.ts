import {dependencyKinds, momentKinds, type DependencyKind, type ReplayGraph} from './replay-graph.js';
import type {Simulation} from './simulate.js';
import type {SimulatedWindow} from './replay-windows.js';

/** A graph, and its moments of each GPU operation: -1 for one that is not in it. */
export interface PathGraph {
  readonly graph: ReplayGraph;
  readonly operationStart: Int32Array;
  readonly operationEnd: Int32Array;
}

/** A piece of a critical path: what one moment waited for, ns of it inside the window. */
export interface PathPiece {
  readonly kind: DependencyKind;
  /** Rows of the moments. */
  readonly from: number;
  readonly to: number;
  readonly ns: number;
}

/**
 * What a window's time went to, from its end backwards: at every moment the dependency that held it. The pieces add up to the
 * window, except where a moment came at the origin by itself.
 */
export function criticalPath(
  {dependencies}: ReplayGraph,
  {atNs, heldBy}: Simulation,
  {startNs, endMoment}: SimulatedWindow,
): PathPiece[] {
  const pieces: PathPiece[] = [];
  let moment = endMoment;
  // Each moment is on a path once, except in a circle.
  for (let left = atNs.length; left > 0 && heldBy[moment] >= 0 && atNs[moment] > startNs; left--) {
    const held = heldBy[moment];
    const from = dependencies.from[held];
    const ns = atNs[moment] - Math.max(startNs, atNs[from]);
    if (ns !== 0) pieces.push({kind: dependencyKinds[dependencies.kind[held]], from, to: moment, ns});
    moment = from;
  }
  return pieces.reverse();
}

/** Whether a moment is an end of a GPU operation. */
export function isOfOperation({moments}: ReplayGraph, moment: number): boolean {
  const kind = momentKinds[moments.kind[moment]];
  return kind === 'operationStart' || kind === 'operationEnd';
}
