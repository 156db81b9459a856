import {displayName} from '../names/slice-name.js';
import {laneIndex} from '../layout/lane-index.js';
import {instantKinds, type InstantKind} from '../trace/instants.js';
import {sliceKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** One slice in full; times are ns from the trace's origin. */
export interface SliceDetails {
  readonly slice: number;
  readonly name: string;
  readonly kind: SliceKind;
  readonly track: number;
  /** Where a timeline draws it inside its track. */
  readonly lane: number;
  readonly startNs: number;
  readonly durationNs: number;
}

/** One instant in full. */
export interface InstantDetails {
  readonly instant: number;
  readonly name: string;
  readonly kind: InstantKind;
  readonly track: number;
  readonly atNs: number;
  /** What a memory event allocated, negative for what it freed; null for others. */
  readonly bytes: number | null;
}

/** Something more that the file says of a slice, in the file's own words. */
export interface SliceArgument {
  readonly name: string;
  readonly value: string;
}

/** The details of a slice, null for a row that does not exist. */
export function sliceDetails(trace: Trace, slice: number): SliceDetails | null {
  const {slices, strings} = trace;
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return null;
  return {
    slice,
    name: displayName(strings.get(slices.name[slice])),
    kind: sliceKinds[slices.kind[slice]],
    track: slices.track[slice],
    lane: laneIndex(trace).laneOf[slice],
    startNs: slices.startNs[slice],
    durationNs: slices.durationNs[slice],
  };
}

/** The details of an instant, null for a row that does not exist. */
export function instantDetails({instants, strings}: Trace, instant: number): InstantDetails | null {
  if (!Number.isInteger(instant) || instant < 0 || instant >= instants.length) return null;
  const bytes = instants.bytes[instant];
  return {
    instant,
    name: displayName(strings.get(instants.name[instant])),
    kind: instantKinds[instants.kind[instant]],
    track: instants.track[instant],
    atNs: instants.atNs[instant],
    bytes: Number.isNaN(bytes) ? null : bytes,
  };
}
