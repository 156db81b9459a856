import {getOrAdd} from '../table/get-or-add.js';
import type {Trace} from '../trace/trace.js';

/**
 * For each row of the operators table the row of the forward operator whose autograd node it runs, -1 for rows that
 * are not backward or whose forward operator is not in the trace.
 *
 * A backward operator names the forward one by sequence number; of several with that number it is the one that starts
 * last, as Kineto's own `fwdbwd` flows have it. Numbers count per forward thread, so with several forward threads the
 * recorder's thread number is mapped to a track by the majority of flows.
 *
 * @see docs/metrics.md#backward
 */
export function linkForwardOperators(trace: Trace): Int32Array {
  const {operators} = trace;
  const forwardOf = new Int32Array(operators.length).fill(-1);
  const bySequence = forwardBySequence(trace);
  const trackOfThread = forwardTracks(trace);
  for (let row = 0; row < operators.length; row++) {
    if (operators.forwardThread[row] <= 0 || operators.sequence[row] < 0) continue;
    const candidates = bySequence.get(operators.sequence[row]) ?? [];
    forwardOf[row] = latestBefore(trace, row, candidates, trackOfThread.get(operators.forwardThread[row]));
  }
  return forwardOf;
}

/** Rows of forward operators by the number of the autograd node that they made. */
function forwardBySequence({operators}: Trace): Map<number, number[]> {
  const bySequence = new Map<number, number[]>();
  for (let row = 0; row < operators.length; row++) {
    if (operators.sequence[row] < 0 || operators.forwardThread[row] !== 0) continue;
    getOrAdd(bySequence, operators.sequence[row], () => []).push(row);
  }
  return bySequence;
}

/** Of the candidates on `track` (any, where it is unknown) the one that starts last, no later than the operator. */
function latestBefore(
  {operators, slices}: Trace,
  row: number,
  candidates: readonly number[],
  track: number | undefined,
): number {
  const startNs = slices.startNs[operators.slice[row]];
  let latest = -1;
  let latestNs = -Infinity;
  for (const candidate of candidates) {
    const slice = operators.slice[candidate];
    if (track !== undefined && slices.track[slice] !== track) continue;
    if (slices.startNs[slice] > startNs || slices.startNs[slice] < latestNs) continue;
    latestNs = slices.startNs[slice];
    latest = candidate;
  }
  return latest;
}

/** The track of each forward thread number that flows vouch for. */
function forwardTracks({operators, slices, forwardBackward}: Trace): Map<number, number> {
  const threadOfSlice = new Map<number, number>();
  for (let row = 0; row < operators.length; row++) {
    if (operators.forwardThread[row] > 0) threadOfSlice.set(operators.slice[row], operators.forwardThread[row]);
  }
  const votes = new Map<number, Map<number, number>>();
  for (let i = 0; i < forwardBackward.length; i += 2) {
    const thread = threadOfSlice.get(forwardBackward[i + 1]);
    if (thread === undefined) continue;
    const track = slices.track[forwardBackward[i]];
    const tracks = votes.get(thread) ?? new Map<number, number>();
    votes.set(thread, tracks.set(track, (tracks.get(track) ?? 0) + 1));
  }
  return new Map([...votes].map(([thread, tracks]) => [thread, mostVoted(tracks)]));
}

function mostVoted(votes: ReadonlyMap<number, number>): number {
  return [...votes].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
