import type {TrackKind} from './trace.js';

/** A track as an importer describes it: rows with the same identity are one track. */
export interface TrackSpec {
  readonly kind: TrackKind;
  readonly process: number;
  readonly device: number;
  /** The system's thread id; absent for tracks that are not threads. */
  readonly thread?: number;
  /** Tells tracks of one kind and process apart: a thread id, a stream id. */
  readonly id: string;
  readonly name: string;
  /** Tracks are sorted by this number, then by first use. */
  readonly order: number;
}
