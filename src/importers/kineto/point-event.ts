import type {DeviceNumbers} from '../reading/device-numbers.js';

/** An event without a duration of its own. Its arguments are whatever the file says. */
export interface PointEvent {
  /** The first byte of `ph`. */
  readonly phase: number;
  readonly name: string;
  readonly category: string;
  readonly pid: string;
  readonly tid: string;
  readonly id: string;
  /** From the builder's base, exact; NaN where the event has no usable time. */
  readonly startNs: number;
  readonly args: Readonly<Record<string, unknown>>;
  /** Where the event stands in the file. */
  readonly offset: number;
}

/** Finds what an event belongs to, in the builder that the slices of the file go to. */
export interface PointPlaces {
  /** The track of a thread. */
  readonly thread: (pid: string, tid: string) => number;
  /** The process, -1 where the id is that of none. */
  readonly process: (pid: string) => number;
  readonly deviceNumbers: DeviceNumbers;
}
