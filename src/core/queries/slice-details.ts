import {displayName} from '../format/slice-name.js';
import {sliceKinds, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** One slice in full; times are ns from the trace's origin. */
export interface SliceDetails {
  readonly slice: number;
  readonly name: string;
  readonly kind: SliceKind;
  readonly track: number;
  readonly lane: number;
  readonly startNs: number;
  readonly durationNs: number;
}

/** Something more that the file says of a slice, in the file's own words. */
export interface SliceArgument {
  readonly name: string;
  readonly value: string;
}

/** The details of a slice, null for a row that does not exist. */
export function sliceDetails({slices, strings}: Trace, slice: number): SliceDetails | null {
  if (!Number.isInteger(slice) || slice < 0 || slice >= slices.length) return null;
  return {
    slice,
    name: displayName(strings.get(slices.name[slice])),
    kind: sliceKinds[slices.kind[slice]],
    track: slices.track[slice],
    lane: slices.lane[slice],
    startNs: slices.startNs[slice],
    durationNs: slices.durationNs[slice],
  };
}
