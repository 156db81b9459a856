import type {Trace} from '../trace/trace.js';
import {AlikeStacks, kindsOfSites, type SiteKinds} from './alike-sites.js';
import type {Attribution} from './attribute.js';
import {addWall} from './cpu-totals.js';
import {everything} from './chosen.js';
import {pathsOfRanges, type PathSums} from './path-sums.js';

/**
 * An attribution without repetition.
 *
 *     site → kind → credit (one path or bucket) and stacks, as in `Attribution`, with call paths in place of ranges
 *
 * A program repeats its steps, so millions of ranges and sites have a few hundred paths and kinds. `ranges.slice` is the
 * slice of a path's first range; `credit.forwardSlice` is 0 if there is one, else -1.
 */
export interface Condensed extends Omit<Attribution, 'sites'>, SiteKinds {
  readonly paths: PathSums;
  /** Range → path. */
  readonly ofRange: Uint16Array;
}

const known = new WeakMap<Attribution, Condensed | null>();

/**
 * Returns the condensed attribution, which is computed once and kept with it; null if there are so many paths or kinds
 * of sites that it is not worth it.
 *
 * @throws TraceError `trace/too-many-open-ranges`
 */
export function condensed(trace: Trace, attribution: Attribution): Condensed | null {
  let found = known.get(attribution);
  if (found === undefined) known.set(attribution, (found = condense(trace, attribution)));
  return found;
}

/** Returns the memory of a condensed attribution: two bytes a range and two a site, and a little for paths and kinds. */
export function condensedBytes({ranges, own}: Attribution): number {
  return Uint16Array.BYTES_PER_ELEMENT * (ranges.slice.length + own.length);
}

function condense(trace: Trace, attribution: Attribution): Condensed | null {
  const found = pathsOfRanges(trace, attribution.ranges);
  if (found === null) return null;
  const {paths, ofRange, isInterleaved} = found;
  if (isInterleaved) recountSelf(trace, attribution, paths, ofRange);
  const stacks = new AlikeStacks();
  const nodeOf = stacks.of(attribution.stacks, ofRange);
  const kinds = kindsOfSites(attribution, ofRange, nodeOf, stacks.length);
  if (kinds === null) return null;
  const ranges = {slice: paths.slice, parent: paths.parent};
  return {...kinds, paths, ofRange, ranges, stacks: stacks.finish()};
}

/** Sums self time by range, which is slower. */
function recountSelf(trace: Trace, {ranges}: Attribution, {cpuSelfNs}: PathSums, ofRange: Uint16Array): void {
  cpuSelfNs.fill(0);
  const others = {count: new Float64Array(cpuSelfNs.length), cpuWallNs: new Float64Array(cpuSelfNs.length)};
  addWall(trace, ranges, {length: cpuSelfNs.length, groupOf: Int32Array.from(ofRange)}, everything, {
    ...others,
    cpuSelfNs,
  });
}
