import type {Trace} from '../trace/trace.js';
import {enclosing, scopesByTrack, type Enclosing} from './enclosing.js';
import {linkForwardOperators} from './forward-operators.js';
import {asRanges, type Ranges} from './ranges.js';

/** Stand in for a range where an operation has none. */
export const outsideAnyRange = -1;
export const backwardUnmatched = -2;

/** To whom the work launched at a site is credited, once. */
export interface SiteCredit {
  /** Site → range, `outsideAnyRange` or `backwardUnmatched`. */
  readonly range: Int32Array;
  /** Site → row of `forward` where autograd launched the work for a forward operator, else -1. */
  readonly forwardRow: Int32Array;
  /** Ranges around the forward operators, outermost first. */
  readonly forward: Enclosing;
}

/**
 * Credits each launching site.
 *
 * Work that autograd launched goes to the range of the forward operator it belongs to, apart from forward work. A range
 * that was opened inside the backward operator (recomputation, a communication hook) is nearer and takes it; a range
 * around the backward operator on the same thread takes it only where no forward operator is found.
 *
 * @see docs/metrics.md#backward
 */
export function creditSites(trace: Trace, ranges: Ranges, sites: Int32Array, own: Enclosing): SiteCredit {
  const {slices, operators} = trace;
  const backward = findBackwardOperators(trace);
  const around = enclosing(slices, scopesByTrack(trace, backward.slices, sites));
  const range = new Int32Array(sites.length);
  const forwardOperator = new Int32Array(sites.length).fill(-1);
  for (let site = 0; site < sites.length; site++) {
    const nearest = innermostRange(own, site, trace, ranges);
    const limitNs = nearest < 0 ? Infinity : slices.durationNs[ranges.slice[nearest]];
    const isInBackward =
      around.offsets[site + 1] > around.offsets[site] || backward.tracks.has(slices.track[sites[site]]);
    forwardOperator[site] = forwardOf(around, site, limitNs);
    range[site] = nearest >= 0 ? nearest : isInBackward ? backwardUnmatched : outsideAnyRange;
  }
  return {range, ...creditForward(range)};

  /** The forward operator of the innermost backward operator that lies inside the nearest range. */
  function forwardOf({offsets, containers}: Enclosing, site: number, limitNs: number): number {
    for (let i = offsets[site + 1] - 1; i >= offsets[site]; i--) {
      const operator = backward.forwardOf.get(containers[i]);
      if (operator !== undefined && slices.durationNs[containers[i]] <= limitNs) return operators.slice[operator];
    }
    return -1;
  }

  function creditForward(credited: Int32Array): {forwardRow: Int32Array; forward: Enclosing} {
    const rows = [...new Set(forwardOperator)].filter(row => row >= 0).sort((a, b) => a - b);
    const forward = asRanges(ranges, enclosing(slices, scopesByTrack(trace, ranges.stacked, Int32Array.from(rows))));
    const rowOf = new Map(rows.map((slice, row) => [slice, row]));
    const forwardRow = forwardOperator.map(slice => rowOf.get(slice) ?? -1);
    forwardRow.forEach((row, site) => {
      if (row >= 0) credited[site] = innermostRange(forward, row, trace, ranges);
    });
    return {forwardRow, forward};
  }
}

function innermostRange(found: Enclosing, row: number, {slices}: Trace, ranges: Ranges): number {
  const {offsets, containers} = found;
  let best = outsideAnyRange;
  for (let i = offsets[row]; i < offsets[row + 1]; i++) {
    const candidate = containers[i];
    if (best < 0 || slices.durationNs[ranges.slice[candidate]] <= slices.durationNs[ranges.slice[best]]) {
      best = candidate;
    }
  }
  return best;
}

interface BackwardOperators {
  /** Rows of the slices table, ascending. */
  readonly slices: Int32Array;
  /** Row of the slices table → row of the operators table of the forward operator. */
  readonly forwardOf: ReadonlyMap<number, number>;
  /** Tracks on which autograd runs and no forward operator does. */
  readonly tracks: ReadonlySet<number>;
}

/** Autograd's own operators: by `Fwd thread id`, and by name where they run no numbered node (gradient accumulation). */
function findBackwardOperators(trace: Trace): BackwardOperators {
  const {operators, slices} = trace;
  const forward = linkForwardOperators(trace);
  const isAutogradName = autogradNames(trace);
  const forwardOf = new Map<number, number>();
  const rows: number[] = [];
  const tracks = new Set<number>();
  const forwardTracks = new Set<number>();
  for (let row = 0; row < operators.length; row++) {
    const slice = operators.slice[row];
    if (operators.forwardThread[row] > 0 || isAutogradName(slices.name[slice])) {
      rows.push(slice);
      tracks.add(slices.track[slice]);
      if (forward[row] >= 0) forwardOf.set(slice, forward[row]);
    } else if (operators.sequence[row] >= 0) forwardTracks.add(slices.track[slice]);
  }
  for (const track of forwardTracks) tracks.delete(track);
  return {slices: Int32Array.from(rows), forwardOf, tracks};
}

function autogradNames({strings}: Trace): (name: number) => boolean {
  const known = new Map<number, boolean>();
  return name => {
    let is = known.get(name);
    if (is === undefined) {
      is = /^autograd::engine::evaluate_function: |^torch::autograd::AccumulateGrad$/.test(strings.get(name));
      known.set(name, is);
    }
    return is;
  };
}
