import {instantKinds, type InstantKind} from '../trace/instants.js';
import type {Trace} from '../trace/trace.js';

/** How much of a trace has a time and no duration. */
export interface PointCounts {
  readonly counters: number;
  /** Samples of all counters. */
  readonly samples: number;
  readonly instants: Readonly<Record<InstantKind, number>>;
}

/** Counts a trace's counters, their samples, and its instants by kind; zeros where there are none. */
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
