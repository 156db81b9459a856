import {parseCallLine} from '../../source/call-line.js';
import {namesThat} from '../../trace/names-that.js';
import {kindMask} from '../../trace/slices.js';
import type {Trace, Track} from '../../trace/trace.js';

/** Times in which a thread did something that the profiler recorded; adjacent times are merged. */
export interface Activity {
  readonly track: number;
  readonly fromNs: Float64Array;
  readonly toNs: Float64Array;
}

const isWork = kindMask(new Set(['cpu_op', 'cuda_runtime', 'cuda_driver', 'library_call', 'overhead']));

/** Returns whether a slice only surrounds a thread's work: ranges that Kineto or the runner record as operators. */
const isAround = (name: string) =>
  /^(?:ProfilerStep#|Optimizer\.|enumerate\()/.test(name) || parseCallLine(name) !== null;

/**
 * Returns the activity of each CPU thread that has any, in the order of the tracks: its innermost operators and API
 * calls. An operator that contains others may wait between them.
 */
export function threadActivities(trace: Trace): Activity[] {
  const ranges = namesThat(trace, isAround);
  return trace.tracks.flatMap((track, index) => {
    if (track.kind !== 'thread') return [];
    const [from, to]: [number[], number[]] = [[], []];
    const {startNs, durationNs} = trace.slices;
    for (const row of innermostWork(trace, track, ranges)) {
      const endNs = startNs[row] + durationNs[row];
      const last = to.length - 1;
      if (last >= 0 && startNs[row] <= to[last]) to[last] = Math.max(to[last], endNs);
      else {
        from.push(startNs[row]);
        to.push(endNs);
      }
    }
    return from.length === 0 ? [] : [{track: index, fromNs: Float64Array.from(from), toNs: Float64Array.from(to)}];
  });
}

/** Returns the rows of a track's work that contain no other work. */
function innermostWork({slices}: Trace, track: Track, isRange: (row: number) => boolean): number[] {
  const {startNs, durationNs, kind} = slices;
  const found: number[] = [];
  let before = -1;
  for (let row = track.firstSlice; row < track.endSlice; row++) {
    if (isWork[kind[row]] === 0 || isRange(row)) continue;
    const isInside = before >= 0 && startNs[row] < startNs[before] + durationNs[before];
    if (before >= 0 && !isInside) found.push(before);
    before = row;
  }
  if (before >= 0) found.push(before);
  return found;
}
