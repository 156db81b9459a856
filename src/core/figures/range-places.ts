import {projectRanges} from '../attribution/project-ranges.js';
import type {RangeChoice} from '../attribution/ranges.js';
import {matchesName, type NamePattern} from '../names/name-pattern.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';

/** The place in a trace of the ranges of a line. */
export interface RangePlace {
  /** The first instance with GPU work, else the first instance: a row of the slices table. */
  readonly slice: number;
  readonly track: number;
  readonly startNs: number;
  readonly durationNs: number;
  /** End of the last GPU operation launched inside, or the range's own end if that is later. */
  readonly gpuEndNs: number;
  readonly names: readonly string[];
}

/**
 * Returns the place of the ranges whose name fits one of `patterns`, among slices accepted by `isIn`; null if there are
 * none.
 */
export function rangePlace(
  trace: Trace,
  patterns: readonly NamePattern[],
  isIn: (slice: number) => boolean = () => true,
  choice?: RangeChoice,
): RangePlace | null {
  return placeOfNames(trace, text => patterns.some(pattern => matchesName(pattern, text)), isIn, choice);
}

/** Returns the place of the ranges whose name `isName` accepts. */
export function placeOfNames(
  trace: Trace,
  isName: (text: string) => boolean,
  isIn: (slice: number) => boolean,
  choice?: RangeChoice,
): RangePlace | null {
  const {slices, strings} = trace;
  const attribution = attributionOf(trace, choice);
  const {ranges} = attribution;
  const names = new Map<number, boolean>();
  const fits = (range: number) => {
    const name = slices.name[ranges.slice[range]];
    let is = names.get(name);
    if (is === undefined) names.set(name, (is = isName(strings.get(name))));
    return is;
  };
  const {toNs} = projectRanges(trace, attribution);
  let best = -1;
  for (let range = 0; range < ranges.slice.length; range++) {
    if (!fits(range) || !isIn(ranges.slice[range])) continue;
    const hasWork = Number.isFinite(toNs[range]);
    const bestHasWork = best >= 0 && Number.isFinite(toNs[best]);
    const isEarlier = best < 0 || startOf(range) < startOf(best);
    if (hasWork === bestHasWork ? isEarlier : hasWork || best < 0) best = range;
  }
  if (best < 0) return null;
  const slice = ranges.slice[best];
  const endNs = slices.startNs[slice] + slices.durationNs[slice];
  return {
    slice,
    track: slices.track[slice],
    startNs: slices.startNs[slice],
    durationNs: slices.durationNs[slice],
    gpuEndNs: Math.max(endNs, toNs[best]),
    names: [...names].filter(([, is]) => is).map(([name]) => strings.get(name)),
  };

  function startOf(range: number): number {
    return slices.startNs[ranges.slice[range]];
  }
}
