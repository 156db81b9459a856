import type {Attribution} from '../attribution/attribute.js';
import type {RangeGroups} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {chainsOfSites} from '../attribution/site-chains.js';
import {derived, derivedKey} from '../trace/derived.js';
import {lineFigures} from '../attribution/totals-columns.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {gpuSummary} from '../questions/info.js';
import type {LineTiming} from './line-timings.js';
import {attributionOf} from '../scope/attribution-of.js';
import {deviationOf, stepMoments, wallMoments} from '../scope/step-moments.js';
import {stepScope, type StepScope} from '../scope/step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, wallIn, type TimingScope} from '../scope/timing-scope.js';

/** PyTorch's name for the range around code that torch.compile made. */
const prefix = 'Torch-Compiled Region';

/**
 * The work of all regions that torch.compile made; nested regions do not count separately.
 *
 * @see docs/metrics.md#compiled
 */
export interface CompiledRegions {
  /** The number of distinct frames: `Torch-Compiled Region: 0/1` and `0/2` are one frame, compiled twice. */
  readonly frames: number;
  readonly timing: LineTiming;
}

const compiledRegionsKey = derivedKey<CompiledRegions | null>('compiled regions');

/**
 * Returns the compiled regions of a trace: in its steps if any region is in a step, or in a window; null if the trace
 * has none.
 */
export function compiledRegions(trace: Trace, of: Exclude<TimingScope, 'profile'> = 'steps'): CompiledRegions | null {
  return derivedIn(trace, of, compiledRegionsKey, () => {
    const {frameOfName, frameCount} = outermostRegions(trace);
    if (frameCount === 0) return null;
    const ofOneGroup = Int32Array.from(frameOfName, frame => (frame === null ? -1 : 0));
    const [timing] = timingsOf(trace, ofOneGroup, 1, of);
    return {frames: frameCount, timing: {...timing, nameCount: frameCount}};
  });
}

/**
 * Returns the work of each call's regions, by their names: in the steps if any region is in a step, or in a window. A
 * call without regions has a `nameCount` of 0.
 *
 * @see docs/metrics.md#compiled
 */
export function compiledCallTimings(
  trace: Trace,
  calls: readonly (readonly string[])[],
  of: TimingScope,
): LineTiming[] {
  const {frameOfName} = outermostRegions(trace);
  // A region was compiled at one call; if several claim it, the last one gets it.
  const callOf = new Map(calls.flatMap((names, call) => names.map(name => [name, call])));
  const groupOfName = Int32Array.from(frameOfName, (frame, name) =>
    frame === null ? -1 : (callOf.get(trace.strings.get(name)) ?? -1),
  );
  return timingsOf(trace, groupOfName, calls.length, of);
}

interface OutermostRegions {
  readonly attribution: Attribution;
  /** Name in the string table → the frame of its region, null for other names. */
  readonly frameOfName: readonly (string | null)[];
  readonly frameCount: number;
  /** Range → whether it is a region that is in no other region. */
  readonly isOutermost: Uint8Array;
}

const outermostCompiledRegionsKey = derivedKey<OutermostRegions>('outermost compiled regions');

function outermostRegions(trace: Trace): OutermostRegions {
  return derived(trace, outermostCompiledRegionsKey, () => {
    const {slices, strings} = trace;
    const frameOfName = Array.from({length: strings.length}, (_, name) => frameOf(strings.get(name)));
    const attribution = attributionOf(trace, {kinds: new Set<SliceKind>(['cpu_op'])});
    const {slice, parent} = attribution.ranges;
    const isRegion = slice.map(row => (frameOfName[slices.name[row]] === null ? 0 : 1));
    // A parent comes before its children.
    const isInside = new Uint8Array(slice.length);
    const isOutermost = new Uint8Array(slice.length);
    for (let range = 0; range < slice.length; range++) {
      const outer = parent[range];
      isInside[range] = outer >= 0 && (isRegion[outer] === 1 || isInside[outer] === 1) ? 1 : 0;
      isOutermost[range] = isRegion[range] === 1 && isInside[range] === 0 ? 1 : 0;
    }
    const frames = new Set(frameOfName.filter(frame => frame !== null));
    return {attribution, frameOfName, frameCount: frames.size, isOutermost};
  });
}

/** @param groupOfName name in the string table → its group, below `length`, -1 for none */
function timingsOf(trace: Trace, groupOfName: Int32Array, length: number, of: TimingScope): LineTiming[] {
  const {slices} = trace;
  const {attribution, isOutermost} = outermostRegions(trace);
  const {slice} = attribution.ranges;
  const groupOf = slice.map((row, range) => (isOutermost[range] === 1 ? groupOfName[slices.name[row]] : -1));
  const groups = {length, groupOf};
  const nameCounts = new Int32Array(length);
  for (const group of groupOfName) if (group >= 0) nameCounts[group]++;
  const first = scopeIn(trace, of);
  const inFirst = rangeTotals(trace, attribution, groups, chosenIn(trace, first));
  const hasOthers = first === 'steps' && inFirst.count.includes(0);
  const inProfile = hasOthers ? rangeTotals(trace, attribution, groups, chosenIn(trace, 'profile')) : inFirst;
  const isGpuProfile = gpuSummary(trace).workNs > 0;
  const squares = first === 'steps' ? squaresOf(trace, attribution, groups, stepScope(trace), isGpuProfile) : null;
  const partOfFirst = partIn(trace, first);
  const partOfProfile = hasOthers ? partIn(trace, 'profile') : partOfFirst;
  return Array.from(nameCounts, (nameCount, group) => {
    const isOfFirst = inFirst.count[group] > 0;
    const [totals, part] = isOfFirst ? [inFirst, partOfFirst] : [inProfile, partOfProfile];
    const workNs = totals.gpuWorkNs[group] + totals.backwardGpuWorkNs[group];
    const ofStepsNs = isGpuProfile ? workNs : totals.cpuWallNs[group];
    return {
      ...part,
      ...lineFigures(totals, group),
      names: [],
      nameCount,
      leastWorkNs: 0,
      gpuBusyNs: totals.gpuBusyNs[group],
      backwardGpuBusyNs: totals.backwardGpuBusyNs[group],
      gpuSpanNs: totals.gpuSpanNs[group],
      stepDeviationNs: isOfFirst && squares ? deviationOf(ofStepsNs, squares[group], part.steps) : NaN,
      peakBytes: NaN,
      isGpuProfile,
    };
  });
}

/** The scope of figures, and the totals for shares. */
type Part = Pick<LineTiming, 'of' | 'steps' | 'allGpuWorkNs' | 'allWallNs'>;

function partIn(trace: Trace, of: TimingScope): Part {
  const steps = of === 'steps' ? stepScope(trace).numbers.length : 0;
  return {of, steps, allGpuWorkNs: gpuWorkIn(trace, chosenIn(trace, of)), allWallNs: wallIn(trace, of)};
}

function squaresOf(
  trace: Trace,
  attribution: Attribution,
  groups: RangeGroups,
  scope: StepScope,
  isGpuProfile: boolean,
): Float64Array {
  if (!isGpuProfile) return wallMoments(trace, attribution, groups, scope).squares;
  return stepMoments(trace, attribution, chainsOfSites(attribution, groups), scope, groups.length).squares;
}

/** Returns the frame of a region; null for other names. */
function frameOf(name: string): string | null {
  return name.startsWith(prefix) ? (/(\d+)\/\d+/.exec(name)?.[1] ?? name) : null;
}
