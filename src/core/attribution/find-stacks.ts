import type {Trace} from '../trace/trace.js';
import {OpenRanges, type StackTreeBuilder} from './open-ranges.js';

/** Slices that enclose others. */
export interface Containers {
  /** Rows of the slices table by scope, then start, the longer first. */
  readonly rows: Int32Array;
  /** What the tree calls them; null where it is their position in `rows`. */
  readonly ids: Int32Array | null;
  /** Track → what it shares stacks with: itself, or its process. -1 for tracks that take no part. */
  readonly scopeOfTrack: Int32Array;
}

/** What encloses each site. */
export interface SiteStacks {
  /** Site → node of the stack of all containers around it, -1 for none. */
  readonly node: Int32Array;
  /** Site → the shortest of them, of equal ones the one that begins last; -1 for none. */
  readonly innermost: Int32Array;
}

/** A scope for each track: what a thread opens encloses what the thread does. */
export function threadScopes({tracks}: Trace): Int32Array {
  return Int32Array.from(tracks, (_, track) => track);
}

/**
 * The containers around each site, by closed bounds: `container.start ≤ site.start` and `site.end ≤ container.end`,
 * so that a site that straddles a container's end lies outside it. A slice that is both encloses itself.
 *
 * One sweep over both lists.
 *
 * @param sites rows of the slices table by scope, then start
 * @param parents where given, is filled: container → the shortest container around it, -1 for none
 * @see docs/metrics.md#attribution
 */
export function findStacks(
  {slices}: Trace,
  {rows, ids, scopeOfTrack}: Containers,
  sites: Int32Array,
  tree: StackTreeBuilder,
  parents: Int32Array | null = null,
): SiteStacks {
  const {startNs, durationNs, track} = slices;
  const node = new Int32Array(sites.length);
  const innermost = new Int32Array(sites.length);
  const open = new OpenRanges(tree);
  let openScope = -1;
  let next = 0;
  for (let site = 0; site < sites.length; site++) {
    const row = sites[site];
    openUntil(scopeOfTrack[track[row]], startNs[row]);
    const endNs = startNs[row] + durationNs[row];
    node[site] = open.stack(endNs);
    innermost[site] = open.innermost(endNs);
  }
  if (parents) openUntil(Infinity, Infinity);
  return {node, innermost};

  function openUntil(scope: number, untilNs: number): void {
    for (; next < rows.length; next++) {
      const row = rows[next];
      const ownScope = scopeOfTrack[track[row]];
      if (ownScope > scope || (ownScope === scope && startNs[row] > untilNs)) break;
      if (ownScope < scope && !parents) continue;
      enter(ownScope, startNs[row]);
      const id = ids === null ? next : ids[next];
      const endNs = startNs[row] + durationNs[row];
      if (parents) parents[id] = open.innermost(endNs);
      open.open(id, durationNs[row], endNs);
    }
    enter(scope, untilNs);
  }

  function enter(scope: number, atNs: number): void {
    if (scope !== openScope) open.clear();
    openScope = scope;
    open.moveTo(atNs);
  }
}
