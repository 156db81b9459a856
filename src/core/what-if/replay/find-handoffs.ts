import {lowerBound, upperBound} from '../../table/search.js';
import type {Trace} from '../../trace/trace.js';
import {threadActivities, type Activity} from './thread-activity.js';

/** A thread waits while another works for it, and goes on when that is done: forward and autograd's thread, for one. */
export interface Handoff {
  /** Tracks of the thread that waits, and of the one that works. */
  readonly waiting: number;
  readonly working: number;
  /** When the waiting thread stopped, the other began and ended, and the first went on; ns. */
  readonly stopNs: number;
  readonly beginNs: number;
  readonly doneNs: number;
  readonly resumeNs: number;
}

/** Shorter pauses than this are a thread's own, ns. */
const shortestPauseNs = 20_000;
/** Of a pause so much must be another thread's work: less is a coincidence. */
const leastShare = 0.3;

/**
 * The pauses of threads in which one other thread of the process does most of the work: it was idle when the pause began
 * and is idle again at its end.
 */
export function findHandoffs(trace: Trace): Handoff[] {
  const activities = threadActivities(trace);
  const found: Handoff[] = [];
  for (const waiting of activities) {
    const others = activities.filter(
      ({track}) => track !== waiting.track && trace.tracks[track].process === trace.tracks[waiting.track].process,
    );
    if (others.length === 0) continue;
    for (let at = 0; at + 1 < waiting.fromNs.length; at++) {
      const stopNs = waiting.toNs[at];
      const resumeNs = waiting.fromNs[at + 1];
      if (resumeNs - stopNs < shortestPauseNs) continue;
      for (const other of others) {
        const part = workInside(other, stopNs, resumeNs);
        if (part === null || part.doneNs - part.beginNs < leastShare * (resumeNs - stopNs)) continue;
        found.push({waiting: waiting.track, working: other.track, stopNs, resumeNs, ...part});
      }
    }
  }
  return found;
}

/** Begin and end of a thread's activity in a pause of another; null where it has none, or is active across an end. */
function workInside({fromNs, toNs}: Activity, stopNs: number, resumeNs: number) {
  const first = lowerBound(fromNs, stopNs);
  const end = upperBound(fromNs, resumeNs);
  if (first === end) return null;
  if (first > 0 && toNs[first - 1] > stopNs) return null;
  const doneNs = toNs[end - 1];
  return doneNs > resumeNs ? null : {beginNs: fromNs[first], doneNs};
}
