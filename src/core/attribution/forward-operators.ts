import {KeyedRows} from '../table/keyed-rows.js';
import {firstWhere, lowerBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {AutogradOperators} from './autograd-operators.js';

/**
 * For each operator the row of the forward operator whose autograd node it runs, -1 for rows that
 * are not backward or whose forward operator is not in the trace.
 *
 * A backward operator names the forward one by sequence number; of several with that number it is the one that starts
 * last, as Kineto's own `fwdbwd` flows have it. Numbers count per forward thread, so with several forward threads the
 * recorder's thread number is mapped to a track by the majority of flows.
 *
 * @see docs/metrics.md#backward
 */
export function linkForwardOperators(trace: Trace, operators: AutogradOperators): Int32Array {
  const {slices} = trace;
  const {sequence, forwardThread, length} = operators;
  const forwardOf = new Int32Array(length).fill(-1);
  // Numbers count within a process.
  const processOf = (row: number) => trace.tracks[slices.track[operators.slice[row]]].process + 1;
  const {rows: forwardRows, keys} = numberedForward(operators);
  if (forwardRows.length === 0) return forwardOf;
  const bySequence = new KeyedRows(keys, forwardRows.map(processOf));
  const trackOfThread = forwardTracks(trace, operators);
  for (let row = 0; row < length; row++) {
    if (!(forwardThread[row] > 0 && sequence[row] >= 0)) continue;
    const slot = bySequence.slot(sequence[row], processOf(row));
    if (slot < 0) continue;
    const startNs = slices.startNs[operators.slice[row]];
    const candidates = bySequence.rows.subarray(bySequence.offsets[slot], bySequence.offsets[slot + 1]);
    const latest = latestBefore(
      trace,
      operators,
      forwardRows,
      candidates,
      startNs,
      trackOfThread.get(forwardThread[row]),
    );
    if (latest >= 0) forwardOf[row] = forwardRows[latest];
  }
  return forwardOf;
}

/** Rows of the forward operators that made an autograd node, and the numbers of the nodes. */
function numberedForward({sequence, forwardThread, length}: AutogradOperators): {
  rows: Int32Array;
  keys: Float64Array;
} {
  let count = 0;
  for (let row = 0; row < length; row++) if (forwardThread[row] === 0 && sequence[row] >= 0) count++;
  const rows = new Int32Array(count);
  const keys = new Float64Array(count);
  for (let row = 0, at = 0; at < count; row++) {
    if (forwardThread[row] !== 0 || !(sequence[row] >= 0)) continue;
    rows[at] = row;
    keys[at++] = sequence[row];
  }
  return {rows, keys};
}

/**
 * Of the candidates on `track` (any, where it is unknown) the one that starts last, no later than `atNs`; of equal ones
 * the last row. Candidates ascend by track, then start, so each track takes a binary search.
 */
function latestBefore(
  {slices}: Trace,
  operators: AutogradOperators,
  forwardRows: Int32Array,
  candidates: Uint32Array,
  atNs: number,
  track: number | undefined,
): number {
  let latest = -1;
  let latestNs = -Infinity;
  for (let from = 0; from < candidates.length;) {
    const own = trackOf(from);
    const end = firstAfter(from, own, Infinity);
    const last = firstAfter(from, own, atNs) - 1;
    if (last >= from && (track === undefined || own === track) && startOf(last) >= latestNs) {
      latestNs = startOf(last);
      latest = candidates[last];
    }
    from = end;
  }
  return latest;

  /** The first candidate behind `from` that is on a later track, or starts after `ns` on this one. */
  function firstAfter(from: number, own: number, ns: number): number {
    return firstWhere(from, candidates.length, at => trackOf(at) > own || startOf(at) > ns);
  }

  function trackOf(at: number): number {
    return slices.track[operators.slice[forwardRows[candidates[at]]]];
  }

  function startOf(at: number): number {
    return slices.startNs[operators.slice[forwardRows[candidates[at]]]];
  }
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
