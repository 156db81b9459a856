import {KeyedRows} from '../table/keyed-rows.js';
import {firstWhere} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {AutogradOperators} from './autograd-operators.js';
import {forwardThreads} from './forward-threads.js';

/** The forward operators of backward ones. */
export interface ForwardOperators {
  /** Operator → slice of the forward operator whose autograd node it runs, -1 if unknown. */
  readonly forwardOf: Int32Array;
  /** Operator → 1 if forward operators of several threads match and nothing in the file decides between them. */
  readonly isAssumed: Uint8Array;
}

/**
 * Links each backward operator to the forward operator whose autograd node it runs; -1 for other operators, and if the
 * forward operator is not in the trace.
 *
 * A backward operator names its forward operator by sequence number. If several have that number, the one that starts
 * last is taken, as Kineto's own `fwdbwd` flows do. Numbers count per forward thread, so with several forward threads
 * the recorder's thread number is mapped to a track.
 *
 * @see docs/metrics.md#backward
 */
export function linkForwardOperators(trace: Trace, operators: AutogradOperators): ForwardOperators {
  const {slices} = trace;
  const {startNs} = slices;
  const {sequence, forwardThread, length} = operators;
  const forwardOf = new Int32Array(length).fill(-1);
  const isAssumed = new Uint8Array(length);
  // Sequence numbers count within a process.
  const processOf = (row: number) => trace.tracks[slices.track[operators.slice[row]]].process + 1;
  const {rows: forwardRows, keys} = numberedForward(operators);
  if (forwardRows.length === 0) return {forwardOf, isAssumed};
  const bySequence = new KeyedRows(keys, forwardRows.map(processOf));
  const {rows: candidates, offsets} = bySequence;
  const threads = forwardThreads(trace, operators, row =>
    latestOnTracks(row).map(at => ({forward: forwardRows[candidates[at]], track: trackOf(at)})),
  );
  for (let row = 0; row < length; row++) {
    const thread = forwardThread[row];
    const track = threads.trackOf.get(thread);
    const found = latestOnTracks(row);
    const onTrack = track === undefined ? found : found.filter(candidate => trackOf(candidate) === track);
    // A track known by flows is binding; a track known by names and order counts only if an operator on it matches.
    const fitting = onTrack.length === 0 && !threads.isByFlows(thread) ? found : onTrack;
    if (fitting.length === 0) continue;
    forwardOf[row] = operators.slice[forwardRows[candidates[latestOf(fitting)]]];
    if (found.length > 1 && (onTrack.length !== 1 || threads.assumed.has(thread))) isAssumed[row] = 1;
  }
  return {forwardOf, isAssumed};

  /** Returns the candidate that starts last; of equal ones the last. */
  function latestOf(fitting: readonly number[]): number {
    return fitting.reduce((latest, candidate) => (startOf(candidate) >= startOf(latest) ? candidate : latest));
  }

  /**
   * Returns, for each track, the last forward operator with the backward one's number that starts no later than it; of
   * equal ones the last. Candidates are sorted by track, then start, so each track takes a binary search.
   */
  function latestOnTracks(row: number): number[] {
    if (!(forwardThread[row] > 0 && sequence[row] >= 0)) return [];
    const slot = bySequence.slot(sequence[row], processOf(row));
    if (slot < 0) return [];
    const [first, end] = [offsets[slot], offsets[slot + 1]];
    const found: number[] = [];
    for (let from = first, next = first; from < end; from = next) {
      const own = trackOf(from);
      next = firstWhere(from, end, at => trackOf(at) > own);
      const last = firstWhere(from, next, at => startOf(at) > startNs[operators.slice[row]]) - 1;
      if (last >= from) found.push(last);
    }
    return found;
  }

  function trackOf(candidate: number): number {
    return slices.track[operators.slice[forwardRows[candidates[candidate]]]];
  }

  function startOf(candidate: number): number {
    return startNs[operators.slice[forwardRows[candidates[candidate]]]];
  }
}

/** Returns the rows of forward operators that made an autograd node, and the numbers of the nodes. */
function numberedForward(operators: AutogradOperators): {rows: Int32Array; keys: Float64Array} {
  const {sequence, forwardThread} = operators;
  const rows = new Int32Array(countNumberedForward(operators));
  const keys = new Float64Array(rows.length);
  for (let row = 0, at = 0; at < rows.length; row++) {
    if (forwardThread[row] !== 0 || !(sequence[row] >= 0)) continue;
    rows[at] = row;
    keys[at++] = sequence[row];
  }
  return {rows, keys};
}

function countNumberedForward({sequence, forwardThread, length}: AutogradOperators): number {
  let count = 0;
  for (let row = 0; row < length; row++) if (forwardThread[row] === 0 && sequence[row] >= 0) count++;
  return count;
}
