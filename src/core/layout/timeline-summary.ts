import type {CounterUnit} from '../trace/counters.js';
import type {TrackKind} from '../trace/trace.js';
import type {LaneSection} from './lane-sections.js';

/** A track's entry in a view. */
export interface TrackSummary {
  /**
   * Index of the track in the trace; higher for tracks of its GPU projection; -1 for instants that belong to no track.
   */
  readonly track: number;
  readonly kind: TrackKind;
  readonly name: string;
  /** Heading above it: a GPU or a process. */
  readonly group: string;
  /** CUDA's number of its GPU, -1 if it has none. */
  readonly device: number;
  /** CUDA's number of its stream, -1 if it has none. */
  readonly stream: number;
  readonly laneCount: number;
  readonly sections: readonly LaneSection[];
  readonly sliceCount: number;
  readonly instantCount: number;
}

/** A counter's entry in a view. */
export interface CounterSummary {
  /** Index of the counter in the trace. */
  readonly counter: number;
  readonly name: string;
  readonly unit: CounterUnit | null;
  /** CUDA device ordinal, -1 if the counter belongs to none. */
  readonly device: number;
  readonly group: string;
  /** The least and the greatest value in the whole trace. */
  readonly low: number;
  readonly high: number;
}

/** The rows of a timeline, in the order of display. */
export interface TimelineSummary {
  readonly tracks: readonly TrackSummary[];
  readonly counters: readonly CounterSummary[];
}
