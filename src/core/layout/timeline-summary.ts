import type {CounterUnit} from '../trace/counters.js';
import type {TrackKind} from '../trace/trace.js';
import type {LaneSection} from './lane-sections.js';

/** A track as a view lists it. */
export interface TrackSummary {
  /** Index of the track in the trace; behind those, of its GPU projection; -1 for instants that belong to no track. */
  readonly track: number;
  readonly kind: TrackKind;
  readonly name: string;
  /** Heading under which it stands: a GPU, a process. */
  readonly group: string;
  /** CUDA's number of its GPU, -1 for what runs on none. */
  readonly device: number;
  /** CUDA's number of its stream, -1 for what is none. */
  readonly stream: number;
  readonly laneCount: number;
  readonly sections: readonly LaneSection[];
  readonly sliceCount: number;
  readonly instantCount: number;
}

/** A counter as a view lists it. */
export interface CounterSummary {
  /** Index of the counter in the trace. */
  readonly counter: number;
  readonly name: string;
  readonly unit: CounterUnit | null;
  /** CUDA device ordinal, -1 where the counter belongs to none. */
  readonly device: number;
  readonly group: string;
  /** The least and the largest value of the whole trace. */
  readonly low: number;
  readonly high: number;
}

/** What stands in a timeline, in the order of display. */
export interface TimelineSummary {
  readonly tracks: readonly TrackSummary[];
  readonly counters: readonly CounterSummary[];
}
