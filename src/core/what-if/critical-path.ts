import {dependencyKinds, momentKinds, type DependencyKind, type ReplayGraph} from './replay-graph.js';
import type {Simulation} from './simulate.js';
import type {SimulatedWindow} from './replay-windows.js';

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

/**
 * Moment → ns by which it may come later without delaying the end of a window: the slack. Infinity for what nothing in the
 * window waits for.
 */
export function slackOf(
  graph: ReplayGraph,
  {atNs}: Simulation,
  {endMoment, endNs}: SimulatedWindow,
  ns = graph.dependencies.ns,
): Float64Array {
  const {from, to, length} = graph.dependencies;
  const latestNs = new Float64Array(atNs.length).fill(Infinity);
  latestNs[endMoment] = endNs;
  // Backwards in the order in which moments come; ties are settled by repeating until nothing changes.
  const order = Int32Array.from({length}, (_, at) => at).sort(
    (a, b) => atNs[to[b]] - atNs[to[a]] || atNs[from[b]] - atNs[from[a]],
  );
  for (let round = 0, changed = true; changed && round < mostRounds; round++) {
    changed = false;
    for (const at of order) {
      const allowedNs = latestNs[to[at]] - ns[at];
      if (allowedNs >= latestNs[from[at]]) continue;
      latestNs[from[at]] = allowedNs;
      changed = true;
    }
  }
  return latestNs.map((latest, moment) => latest - atNs[moment]);
}

const mostRounds = 20;

/** Whether a moment is an end of a GPU operation. */
export function isOfOperation({moments}: ReplayGraph, moment: number): boolean {
  const kind = momentKinds[moments.kind[moment]];
  return kind === 'operationStart' || kind === 'operationEnd';
}
