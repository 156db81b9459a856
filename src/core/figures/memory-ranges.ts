import {lowerBound, upperBound} from '../table/search.js';
import type {Trace} from '../trace/trace.js';
import type {MemoryOfDevice} from './memory-events.js';
import {tooManyOpenRanges, type RangeSet} from './range-set.js';

/** Events that a thread may have caused: those on its track, and those of the process that name no thread. */
export interface EventsInScope {
  /** Position in the device's lists, in order of time. */
  readonly event: Int32Array;
  readonly atNs: Float64Array;
}

/** Returns a function that gives the events that a range on a track may have caused. */
export function eventsByTrack(
  {instants, tracks}: Trace,
  memory: MemoryOfDevice,
): (track: number) => EventsInScope | null {
  const ofTrack = new Map<number, number[]>();
  const ofProcess: number[] = [];
  memory.instant.forEach((row, event) => {
    const track = instants.track[row];
    if (track < 0 || tracks[track].kind !== 'thread') {
      ofProcess.push(event);
      return;
    }
    const events = ofTrack.get(track);
    if (events) events.push(event);
    else ofTrack.set(track, [event]);
  });
  const known = new Map<number, EventsInScope | null>();
  return track => {
    let found = known.get(track);
    if (found === undefined) {
      const own = ofTrack.get(track) ?? [];
      const shared = track >= 0 && tracks[track].process === memory.process ? ofProcess : [];
      const event = Int32Array.from([...own, ...shared]).sort();
      found = event.length === 0 ? null : {event, atNs: Float64Array.from(event, at => memory.atNs[at])};
      known.set(track, found);
    }
    return found;
  };
}

/** Returns the part `[first, end)` of the events that lie in an interval, closed on both sides. */
export function eventsInside(atNs: Float64Array, startNs: number, endNs: number): {first: number; end: number} {
  return {first: lowerBound(atNs, startNs), end: upperBound(atNs, endNs)};
}

/** Only malicious files have more pairs of ranges and events than this. */
const mostPairs = 200_000_000;

/**
 * Returns event (position in the device's lists) → the innermost range around it, -1 for none.
 *
 * @param ranges in the order of `onThreads`: a range comes after those around it
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function innermostRangeOfEvents(
  trace: Trace,
  memory: MemoryOfDevice,
  ranges: Pick<RangeSet, 'length' | 'trackOf' | 'startNs' | 'endNs'>,
): Int32Array {
  const innermost = new Int32Array(memory.atNs.length).fill(-1);
  const eventsOf = eventsByTrack(trace, memory);
  let pairs = 0;
  for (let range = 0; range < ranges.length; range++) {
    const events = eventsOf(ranges.trackOf(range));
    if (events === null) continue;
    const {first, end} = eventsInside(events.atNs, ranges.startNs(range), ranges.endNs(range));
    pairs += end - first;
    if (pairs > mostPairs) throw tooManyOpenRanges();
    for (let i = first; i < end; i++) innermost[events.event[i]] = range;
  }
  return innermost;
}
