import {lowerBound, upperBound} from '../../table/search.js';
import type {Trace} from '../../trace/trace.js';
import {threadActivities, type Activity} from './thread-activity.js';

/**
 * A thread waits while another works for it, and continues when the work is done: for example, the forward thread for
 * autograd's.
 */
export interface Handoff {
  /** Tracks of the waiting and of the working thread. */
  readonly waiting: number;
  readonly working: number;
  /** When the waiting thread stopped, the other began and ended, and the first continued; ns. */
  readonly stopNs: number;
  readonly beginNs: number;
  readonly doneNs: number;
  readonly resumeNs: number;
}

/** Shorter pauses are the thread's own, ns. */
const shortestPauseNs = 20_000;
/** The smallest share of a pause that must be another thread's work; less is a coincidence. */
const leastShare = 0.3;

/**
 * Returns the pauses of threads in which one other thread of the process does most of the work, and is idle both when
 * the pause begins and when it ends.
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

/**
 * Returns the begin and end of a thread's activity during another's pause; null if it has none, or is active across an
 * end.
 */
function workInside({fromNs, toNs}: Activity, stopNs: number, resumeNs: number) {
  const first = lowerBound(fromNs, stopNs);
  const end = upperBound(fromNs, resumeNs);
  if (first === end) return null;
  if (first > 0 && toNs[first - 1] > stopNs) return null;
  const doneNs = toNs[end - 1];
  return doneNs > resumeNs ? null : {beginNs: fromNs[first], doneNs};
}
