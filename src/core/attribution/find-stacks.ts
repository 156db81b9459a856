import {firstWhere} from '../table/search.js';
import type {WholeColumn} from '../table/table.js';
import type {Trace} from '../trace/trace.js';
import {OpenRanges, type StackTreeBuilder} from './open-ranges.js';

/** Slices that enclose others. */
export interface Containers {
  /** Rows of the slices table by scope, then start, then longer first. */
  readonly rows: Int32Array;
  /** Ids of the containers in the tree; null if the id is the position in `rows`. */
  readonly ids: Int32Array | null;
  /** Track → scope within which slices enclose each other: the track itself, or its process. */
  readonly scopeOfTrack: Int32Array;
}

/** The containers around each site. */
export interface SiteStacks {
  /** Site → node of the stack of all containers around it, -1 for none. */
  readonly node: Int32Array;
  /** Site → the shortest of these containers, of equal ones the one that begins last; -1 for none. */
  readonly innermost: Int32Array;
}

/** Returns one scope for each track: a thread's slices enclose only slices of that thread. */
export function threadScopes({tracks}: Trace): Int32Array {
  return Int32Array.from(tracks, (_, track) => track);
}

/**
 * Returns the containers around each site, by closed bounds: `container.start ≤ site.start` and `site.end ≤
 * container.end`. A site that straddles a container's end is therefore outside it. A slice that is both container and
 * site encloses itself.
 *
 * One sweep over both lists.
 *
 * @param sites rows of the slices table by scope, then start
 * @param tree receives the stacks; null if only the innermost containers are needed: every `node` is -1 then
 * @param parents if given, is filled: container → the shortest container around it, -1 for none
 * @see docs/metrics.md#attribution
 */
export function findStacks(
  {slices}: Trace,
  {rows, ids, scopeOfTrack}: Containers,
  sites: Int32Array,
  tree: StackTreeBuilder | null,
  parents: Int32Array | null = null,
): SiteStacks {
  const {startNs, durationNs, track} = slices;
  const node = new Int32Array(sites.length);
  const innermost = new Int32Array(sites.length);
  if (rows.length === 0) return {node: node.fill(-1), innermost: innermost.fill(-1)};
  const open = new OpenRanges(tree);
  const sweep = {startNs, durationNs, rows, ids, sites, open, node, innermost, parents};
  let next = 0;
  let site = 0;
  while (site < sites.length || (parents !== null && next < rows.length)) {
    const scope = Math.min(scopeAt(rows, next), scopeAt(sites, site));
    const endRow = endOfScope(rows, next, scope);
    const endSite = endOfScope(sites, site, scope);
    open.clear();
    // A scope without sites is swept only for the parents.
    if (endSite > site || parents !== null) sweepScope(sweep, next, endRow, site, endSite);
    next = endRow;
    site = endSite;
  }
  return {node, innermost};

  /** Returns the scope at a position; Infinity after the last one. */
  function scopeAt(list: Int32Array, at: number): number {
    return at < list.length ? scopeOfTrack[track[list[at]]] : Infinity;
  }

  function endOfScope(list: Int32Array, from: number, scope: number): number {
    return firstWhere(from, list.length, at => scopeAt(list, at) > scope);
  }
}

/** The input and output of a sweep. */
interface Sweep extends Pick<Containers, 'rows' | 'ids'>, SiteStacks {
  readonly startNs: Float64Array;
  readonly durationNs: WholeColumn;
  readonly sites: Int32Array;
  readonly open: OpenRanges;
  readonly parents: Int32Array | null;
}

/** Sweeps the containers and sites of a scope in a single loop, which V8 compiles sooner than several. */
function sweepScope(
  {startNs, durationNs, rows, ids, sites, open, node, innermost, parents}: Sweep,
  firstRow: number,
  endRow: number,
  firstSite: number,
  endSite: number,
): void {
  let next = firstRow;
  let site = firstSite;
  while (site < endSite || (parents !== null && next < endRow)) {
    if (parents === null) next = skipEnded(startNs, durationNs, rows, next, endRow, startNs[sites[site]]);
    const opens = next < endRow && (site === endSite || startNs[rows[next]] <= startNs[sites[site]]);
    const row = opens ? rows[next] : sites[site];
    const endNs = startNs[row] + durationNs[row];
    open.moveTo(startNs[row]);
    if (opens) {
      const id = ids === null ? next : ids[next];
      if (parents !== null) parents[id] = open.innermost(endNs);
      open.open(id, durationNs[row], endNs);
      next++;
    } else {
      node[site] = open.stack(endNs);
      innermost[site] = open.innermost(endNs);
      site++;
    }
  }
}

/** Returns the first container that does not end before the next site: most do, and enclose none. */
function skipEnded(
  startNs: Float64Array,
  durationNs: WholeColumn,
  rows: Int32Array,
  from: number,
  end: number,
  siteNs: number,
): number {
  let next = from;
  while (next < end && startNs[rows[next]] + durationNs[rows[next]] < siteNs) next++;
  return next;
}
