import {instantKinds, type InstantKind} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';

/** The number of a trace's events with a time but no duration. */
export interface PointCounts {
  readonly counters: number;
  /** Samples of all counters together. */
  readonly samples: number;
  readonly instants: Readonly<Record<InstantKind, number>>;
}

/** Counts a trace's counters, their samples, and its instants by kind; zeros if there are none. */
export function pointCounts({counters, counterSamples, instants}: Trace): PointCounts {
  const ofKind = new Float64Array(instantKinds.length);
  for (let row = 0; row < instants.length; row++) ofKind[instants.kind[row]]++;
  return {
    counters: counters.length,
    samples: counterSamples.length,
    instants: Object.fromEntries(instantKinds.map((kind, index) => [kind, ofKind[index]])) as Record<
      InstantKind,
      number
    >,
  };
}
