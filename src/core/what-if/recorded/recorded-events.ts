import {launchSites} from '../../attribution/launch-sites.js';
import {kindMask} from '../../trace/slices.js';
import type {Trace} from '../../trace/trace.js';

/** A time window of a trace, ns from its origin, both ends included. */
export interface RecordedWindow {
  readonly fromNs: number;
  readonly toNs: number;
}

/** An event that a recorded path may pass through: an operator or API call of a thread, or a GPU operation. */
export interface RecordedEvent {
  /** Row of the slices table. */
  readonly slice: number;
  readonly track: number;
  readonly startNs: number;
  readonly endNs: number;
  /** Row of the GPU operations, -1 for an event of a thread. */
  readonly operation: number;
}

const isOfThread = kindMask(new Set(['cpu_op', 'cuda_runtime', 'cuda_driver'] as const));

/**
 * Returns the events of a window, in the order of the slices table: operators and API calls that begin in it and take
 * time, and the GPU operations that these calls launched.
 */
export function recordedEvents(trace: Trace, {fromNs, toNs}: RecordedWindow): RecordedEvent[] {
  const {slices, gpuOperations, tracks} = trace;
  const {launchOf, slice: siteSlice} = launchSites(trace);
  const eventOf = (slice: number, operation: number): RecordedEvent => ({
    ...{slice, operation, track: slices.track[slice], startNs: slices.startNs[slice]},
    endNs: slices.startNs[slice] + slices.durationNs[slice],
  });
  const isIn = (row: number) =>
    slices.durationNs[row] > 0 && slices.startNs[row] >= fromNs && slices.startNs[row] <= toNs;
  const events: RecordedEvent[] = [];
  for (const {kind, firstSlice, endSlice} of tracks) {
    if (kind !== 'thread') continue;
    for (let row = firstSlice; row < endSlice; row++) {
      if (isOfThread[slices.kind[row]] === 1 && isIn(row)) events.push(eventOf(row, -1));
    }
  }
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = launchOf[operation];
    if (site >= 0 && isIn(siteSlice[site])) events.push(eventOf(gpuOperations.slice[operation], operation));
  }
  return events.sort((a, b) => a.slice - b.slice);
}

/** Counts the operators and API calls that begin in a window. A path needs time and memory for each. */
export function countEvents({slices, tracks}: Trace, {fromNs, toNs}: RecordedWindow): number {
  let events = 0;
  for (const {kind, firstSlice, endSlice} of tracks) {
    if (kind !== 'thread') continue;
    for (let row = firstSlice; row < endSlice; row++) {
      if (isOfThread[slices.kind[row]] === 1 && slices.startNs[row] >= fromNs && slices.startNs[row] <= toNs) events++;
    }
  }
  return events;
}
