import type {DeviceNumbers} from '../reading/device-numbers.js';

/** An event without a duration of its own. Its arguments are unchecked. */
export interface PointEvent {
  /** The first byte of `ph`. */
  readonly phase: number;
  readonly name: string;
  readonly category: string;
  readonly pid: string;
  readonly tid: string;
  readonly id: string;
  /** From the builder's base, exact; NaN if the event has no usable time. */
  readonly startNs: number;
  readonly args: Readonly<Record<string, unknown>>;
  /** The event's offset in the file. */
  readonly offset: number;
}

/** Returns the tracks and processes of events, in the builder that takes the file's slices. */
export interface PointPlaces {
  /** The track of a thread. */
  readonly thread: (pid: string, tid: string) => number;
  /** The process; -1 if the id is not a process. */
  readonly process: (pid: string) => number;
  readonly deviceNumbers: DeviceNumbers;
}
