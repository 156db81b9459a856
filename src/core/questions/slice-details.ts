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
  /** The lane inside its track on which a timeline draws it. */
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
  /** Bytes that a memory event allocated, negative if freed; null for other instants. */
  readonly bytes: number | null;
}

/** A further property of a slice, as the file words it. */
export interface SliceArgument {
  readonly name: string;
  readonly value: string;
}

/** Returns the details of a slice; null for a row that does not exist. */
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

/** Returns the details of an instant; null for a row that does not exist. */
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
