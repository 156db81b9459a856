import {rangeTotals} from '../attribution/range-totals.js';
import {chainsOfSites} from '../attribution/site-chains.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {gpuSummary} from './info.js';
import type {LineTiming} from './line-timings.js';
import {attributionOf} from './ranges.js';
import {deviationOf, stepMoments, wallMoments} from './step-moments.js';
import {stepScope} from './step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, wallIn, type TimingScope} from './timing-scope.js';

/** What PyTorch calls the range around code that torch.compile made. */
const prefix = 'Torch-Compiled Region';

/** The work of all regions that torch.compile made; none inside another counts apart. @see docs/metrics.md#compiled */
export interface CompiledRegions {
  /** Regions by the number of their frame: `Torch-Compiled Region: 0/1` and `0/2` are one that was compiled twice. */
  readonly frames: number;
  readonly timing: LineTiming;
}

/**
 * The compiled regions of a trace, in its steps where they have a part in any, or in a window; null where the trace has
 * none.
 */
export function compiledRegions(trace: Trace, of: Exclude<TimingScope, 'profile'> = 'steps'): CompiledRegions | null {
  return derivedIn(trace, of, 'compiled regions', () => regionsOf(trace, of));
}

function regionsOf(trace: Trace, wanted: TimingScope): CompiledRegions | null {
  const {slices, strings} = trace;
  const frameOfName = Array.from({length: strings.length}, (_, name) => frameOf(strings.get(name)));
  const frames = new Set(frameOfName.filter(frame => frame !== null));
  if (frames.size === 0) return null;
  const attribution = attributionOf(trace, {kinds: new Set<SliceKind>(['cpu_op'])});
  const {slice, parent} = attribution.ranges;
  const isRegion = slice.map(row => (frameOfName[slices.name[row]] === null ? 0 : 1));
  // A parent comes before what lies in it.
  const isInside = new Uint8Array(slice.length);
  const groupOf = slice.map((_, range) => {
    const outer = parent[range];
    isInside[range] = outer >= 0 && (isRegion[outer] === 1 || isInside[outer] === 1) ? 1 : 0;
    return isRegion[range] === 1 && isInside[range] === 0 ? 0 : -1;
  });
  const groups = {length: 1, groupOf};
  const scope = stepScope(trace);
  const first = scopeIn(trace, wanted);
  const inFirst = rangeTotals(trace, attribution, groups, chosenIn(trace, first));
  const of = first === 'steps' && inFirst.count[0] === 0 ? 'profile' : first;
  const totals = of === first ? inFirst : rangeTotals(trace, attribution, groups, chosenIn(trace, of));
  const isOfSteps = of === 'steps';
  const profileWorkNs = gpuSummary(trace).workNs;
  const isGpuProfile = profileWorkNs > 0;
  const {squares} = isGpuProfile
    ? stepMoments(trace, attribution, chainsOfSites(attribution, groups), scope, 1)
    : wallMoments(trace, attribution, groups, scope);
  const ofStepsNs = isGpuProfile ? totals.gpuWorkNs[0] + totals.backwardGpuWorkNs[0] : totals.cpuWallNs[0];
  return {
    frames: frames.size,
    timing: {
      of,
      steps: isOfSteps ? scope.numbers.length : 0,
      count: totals.count[0],
      names: [],
      nameCount: frames.size,
      leastWorkNs: 0,
      cpuWallNs: totals.cpuWallNs[0],
      gpuWorkNs: totals.gpuWorkNs[0],
      backwardGpuWorkNs: totals.backwardGpuWorkNs[0],
      gpuBusyNs: totals.gpuBusyNs[0],
      backwardGpuBusyNs: totals.backwardGpuBusyNs[0],
      gpuSpanNs: totals.gpuSpanNs[0],
      operations: totals.operations[0] + totals.backwardOperations[0],
      launches: totals.launches[0] + totals.backwardLaunches[0],
      stepDeviationNs: isOfSteps ? deviationOf(ofStepsNs, squares[0], scope.numbers.length) : NaN,
      peakBytes: NaN,
      allGpuWorkNs: gpuWorkIn(trace, chosenIn(trace, of)),
      allWallNs: wallIn(trace, of),
      isGpuProfile,
    },
  };
}

/** The frame that a region is of; null for other names. */
function frameOf(name: string): string | null {
  return name.startsWith(prefix) ? (/(\d+)\/\d+/.exec(name)?.[1] ?? name) : null;
}
