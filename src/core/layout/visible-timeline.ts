import type {Trace} from '../trace/trace.js';
import {visibleCounters, type VisibleCounters} from './visible-counters.js';
import {visibleInstants, type VisibleInstants} from './visible-instants.js';
import {visibleSlices, type VisibleSlices, type VisibleWindow} from './visible-slices.js';

/** The visible part of a timeline. */
export interface TimelineWindow extends VisibleWindow {
  /** Tracks whose instants are visible, -1 for those of the whole trace. */
  readonly instants: readonly number[];
  readonly counters: readonly number[];
}

/** Everything to draw in it. */
export interface VisibleTimeline {
  readonly slices: VisibleSlices;
  readonly instants: VisibleInstants;
  readonly counters: VisibleCounters;
}

/** Returns what to draw of a trace in a window; nothing for an invalid window (NaN, upside down). */
export function visibleTimeline(trace: Trace, window: TimelineWindow): VisibleTimeline {
  const {fromNs, toNs, widthPx, groupBy, lit} = window;
  const isSane = toNs > fromNs && widthPx >= 1 && Number.isFinite(toNs - fromNs) && Number.isFinite(widthPx);
  const {lanes, instants, counters} = isSane ? window : {lanes: [], instants: [], counters: []};
  const place = isSane ? {fromNs, toNs, widthPx} : {fromNs: 0, toNs: 1, widthPx: 1};
  return {
    slices: visibleSlices(trace, {...place, lanes, ...(groupBy && {groupBy}), ...(lit && {lit})}),
    instants: visibleInstants(trace, place, instants),
    counters: visibleCounters(trace, place, counters),
  };
}
