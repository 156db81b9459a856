import {getOrAdd} from '../table/get-or-add.js';
import {lowerBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import {unknownThread, type AutogradOperators} from './autograd-operators.js';

/** A forward operator with the sequence number of a backward one, and its track. */
export interface ForwardCandidate {
  /** Row in the operators. */
  readonly forward: number;
  readonly track: number;
}

/** The tracks of forward threads, by the recorder's thread number. */
export interface ForwardThreads {
  readonly trackOf: ReadonlyMap<number, number>;
  /** Threads whose track the file does not reveal: by ascending number they get tracks in order of first use. */
  readonly assumed: ReadonlySet<number>;
  /** Returns whether the track of a thread is known by flows. */
  readonly isByFlows: (thread: number) => boolean;
}

/**
 * Finds the track of each forward thread: by the majority of `fwdbwd` flows, else the track on which most forward
 * operators have the sequence number and the name that the backward operators ask for. If tracks tie (replicas of one
 * model), a thread with a lower number is taken to have run operators earlier: threads and tracks are matched in that
 * order.
 */
export function forwardThreads(
  trace: Trace,
  operators: AutogradOperators,
  candidatesOf: (backward: number) => readonly ForwardCandidate[],
): ForwardThreads {
  const byFlows = tracksByFlows(trace, operators);
  const trackOf = new Map(byFlows);
  const votes = votesOf(trace, operators, candidatesOf, trackOf);
  const taken = new Set(trackOf.values());
  const tied: [thread: number, tracks: number[]][] = [];
  for (const [thread, ofTracks] of [...votes].sort(([a], [b]) => a - b)) {
    const free = [...ofTracks].filter(([track]) => !taken.has(track));
    const most = free.reduce((best, [, count]) => Math.max(best, count), 0);
    const best = free.filter(([, count]) => count === most).map(([track]) => track);
    if (best.length === 1) trackOf.set(thread, best[0]);
    else if (best.length > 1) tied.push([thread, best]);
  }
  const assumed = new Set(tied.map(([thread]) => thread));
  const firstOf = firstUses(trace, operators);
  const given = new Set(trackOf.values());
  for (const [thread, tracks] of tied) {
    const free = tracks.filter(track => !given.has(track));
    free.sort((a, b) => (firstOf.get(a) ?? Infinity) - (firstOf.get(b) ?? Infinity));
    if (free.length === 0) continue;
    given.add(free[0]);
    trackOf.set(thread, free[0]);
  }
  return {trackOf, assumed, isByFlows: thread => byFlows.has(thread)};
}

/**
 * Counts the forward operators on each track that match the backward operators of a thread; a match by name weighs
 * most.
 */
function votesOf(
  {slices, strings}: Trace,
  {slice, forwardThread, length}: AutogradOperators,
  candidatesOf: (backward: number) => readonly ForwardCandidate[],
  known: ReadonlyMap<number, number>,
): Map<number, Map<number, number>> {
  const votes = new Map<number, Map<number, number>>();
  const textOf = (operator: number) => strings.get(slices.name[slice[operator]]);
  for (let backward = 0; backward < length; backward++) {
    const thread = forwardThread[backward];
    if (!(thread > 0) || thread === unknownThread || known.has(thread)) continue;
    const ofTracks = getOrAdd(votes, thread, () => new Map<number, number>());
    for (const {forward, track} of candidatesOf(backward)) {
      const vote = isBackwardOf(textOf(backward), textOf(forward)) ? 1 : 1 / 1024;
      ofTracks.set(track, (ofTracks.get(track) ?? 0) + vote);
    }
  }
  return votes;
}

/** Returns whether a backward operator belongs to a forward one by their names: `MmBackward0` to `aten::mm`. */
function isBackwardOf(backward: string, forward: string): boolean {
  const asked = /(\w+?)Backward\d*$/.exec(backward)?.[1] ?? '';
  const plain = (name: string) => name.replace(/^.*::/, '').replaceAll('_', '').toLowerCase();
  return asked !== '' && plain(asked) === plain(forward);
}

/** Returns the track of each forward thread that has `fwdbwd` flows, by their majority. */
export function tracksByFlows(
  {slices, forwardBackward}: Trace,
  operators: Pick<AutogradOperators, 'slice' | 'forwardThread'>,
): Map<number, number> {
  const votes = new Map<number, Map<number, number>>();
  for (let i = 0; i < forwardBackward.length; i += 2) {
    const row = lowerBound(operators.slice, forwardBackward[i + 1]);
    if (operators.slice[row] !== forwardBackward[i + 1] || !(operators.forwardThread[row] > 0)) continue;
    const thread = operators.forwardThread[row];
    const track = slices.track[forwardBackward[i]];
    const tracks = getOrAdd(votes, thread, () => new Map<number, number>());
    tracks.set(track, (tracks.get(track) ?? 0) + 1);
  }
  return new Map([...votes].map(([thread, tracks]) => [thread, mostVoted(tracks)]));
}

function mostVoted(votes: ReadonlyMap<number, number>): number {
  return [...votes].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

/** Track → start of the first operator on it. */
function firstUses({slices}: Trace, {slice, length}: AutogradOperators): Map<number, number> {
  const first = new Map<number, number>();
  for (let row = 0; row < length; row++) {
    const track = slices.track[slice[row]];
    const startNs = slices.startNs[slice[row]];
    if (startNs < (first.get(track) ?? Infinity)) first.set(track, startNs);
  }
  return first;
}
