import {KeyedRows} from '../table/keyed-rows.js';
import {firstWhere, lowerBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {AutogradOperators} from './autograd-operators.js';

/**
 * Operator → slice of the forward operator whose autograd node it runs, -1 for those that are not backward or whose
 * forward operator is not in the trace.
 *
 * A backward operator names the forward one by sequence number; of several with that number it is the one that starts
 * last, as Kineto's own `fwdbwd` flows have it. Numbers count per forward thread, so with several forward threads the
 * recorder's thread number is mapped to a track by the majority of flows.
 *
 * @see docs/metrics.md#backward
 */
export function linkForwardOperators(trace: Trace, operators: AutogradOperators): Int32Array {
  const {slices} = trace;
  const {startNs} = slices;
  const {sequence, forwardThread, length} = operators;
  const forwardOf = new Int32Array(length).fill(-1);
  // Numbers count within a process.
  const processOf = (row: number) => trace.tracks[slices.track[operators.slice[row]]].process + 1;
  const {rows: forwardRows, keys} = numberedForward(operators);
  if (forwardRows.length === 0) return forwardOf;
  const bySequence = new KeyedRows(keys, forwardRows.map(processOf));
  const {rows: candidates, offsets} = bySequence;
  const trackOfThread = forwardTracks(trace, operators);
  for (let row = 0; row < length; row++) {
    if (!(forwardThread[row] > 0 && sequence[row] >= 0)) continue;
    const slot = bySequence.slot(sequence[row], processOf(row));
    if (slot < 0) continue;
    forwardOf[row] = latestBefore(row, offsets[slot], offsets[slot + 1], trackOfThread.get(forwardThread[row]));
  }
  return forwardOf;

  /**
   * Of the candidates from `first` to `end` on `track` (any, where it is unknown) the one that starts last, no later than
   * `row`; of equal ones the last. They ascend by track, then start, so each track takes a binary search. -1 for none.
   */
  function latestBefore(row: number, first: number, end: number, track: number | undefined): number {
    let latest = -1;
    for (let from = first, next = first; from < end; from = next) {
      const own = trackOf(from);
      next = firstWhere(from, end, at => trackOf(at) > own);
      if (track !== undefined && own !== track) continue;
      const last = firstWhere(from, next, at => startOf(at) > startNs[operators.slice[row]]) - 1;
      if (last >= from && (latest < 0 || startOf(last) >= startOf(latest))) latest = last;
    }
    return latest < 0 ? -1 : operators.slice[forwardRows[candidates[latest]]];
  }

  function trackOf(candidate: number): number {
    return slices.track[operators.slice[forwardRows[candidates[candidate]]]];
  }

  function startOf(candidate: number): number {
    return startNs[operators.slice[forwardRows[candidates[candidate]]]];
  }
}

/** Rows of the forward operators that made an autograd node, and the numbers of the nodes. */
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

/** The track of each forward thread number that flows vouch for. */
function forwardTracks({slices, forwardBackward}: Trace, operators: AutogradOperators): Map<number, number> {
  const votes = new Map<number, Map<number, number>>();
  for (let i = 0; i < forwardBackward.length; i += 2) {
    const row = lowerBound(operators.slice, forwardBackward[i + 1]);
    if (operators.slice[row] !== forwardBackward[i + 1] || !(operators.forwardThread[row] > 0)) continue;
    const thread = operators.forwardThread[row];
    const track = slices.track[forwardBackward[i]];
    const tracks = votes.get(thread) ?? new Map<number, number>();
    votes.set(thread, tracks.set(track, (tracks.get(track) ?? 0) + 1));
  }
  return new Map([...votes].map(([thread, tracks]) => [thread, mostVoted(tracks)]));
}

function mostVoted(votes: ReadonlyMap<number, number>): number {
  return [...votes].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
