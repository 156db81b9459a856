import {derivedKey} from '../trace/derived.js';
import {groupByName} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {lineFigures} from '../attribution/totals-columns.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, type TimingScope} from '../scope/timing-scope.js';

/** What the operators of one name launched: those of kernels that torch.compile made have the kernel's. */
interface KernelWork {
  readonly name: string;
  readonly count: number;
  readonly cpuWallNs: number;
  /** Also of operators that autograd called. */
  readonly gpuWorkNs: number;
  readonly operations: number;
  readonly launches: number;
}

/** The work of some kernels. */
export interface KernelWorks {
  /** Figures are sums over so many steps; 0 where they are of the whole profile, or a window. */
  readonly steps: number;
  /** All GPU work of the steps, the profile or the window: what shares are of. */
  readonly allGpuWorkNs: number;
  /** Those that launched GPU work, in the order of the names that were asked for. */
  readonly kernels: readonly KernelWork[];
}

/**
 * The GPU work of compiled kernels by name.
 *
 * @param of what to sum over; steps where the trace has some
 * @throws TraceError `trace/too-many-open-ranges`
 * @see docs/metrics.md#compiled-lines
 */
export function kernelWorks(trace: Trace, names: readonly string[], of: TimingScope): KernelWorks {
  const {groups, totals, steps, allGpuWorkNs} = totalsByOperator(trace, of);
  const groupOf = new Map(Array.from(groups.name, (name, group) => [trace.strings.get(name), group]));
  const kernels = [...new Set(names)].flatMap(name => {
    const group = groupOf.get(name);
    if (group === undefined) return [];
    const {backwardGpuWorkNs, ...figures} = lineFigures(totals, group);
    const gpuWorkNs = figures.gpuWorkNs + backwardGpuWorkNs;
    return gpuWorkNs === 0 ? [] : [{name, ...figures, gpuWorkNs}];
  });
  return {steps, allGpuWorkNs, kernels};
}

interface TotalsByOperator {
  readonly groups: ReturnType<typeof groupByName>;
  readonly totals: ReturnType<typeof rangeTotals>;
  readonly steps: number;
  readonly allGpuWorkNs: number;
}

const totalsByOperatorKey = derivedKey<TotalsByOperator>('totals by operator');

function totalsByOperator(trace: Trace, wanted: TimingScope): TotalsByOperator {
  const of = scopeIn(trace, wanted);
  return derivedIn(trace, of, totalsByOperatorKey, () => {
    const attribution = attributionOf(trace, {kinds: new Set<SliceKind>(['cpu_op'])});
    const groups = groupByName(trace, attribution.ranges);
    const chosen = chosenIn(trace, of);
    const steps = of === 'steps' ? stepScope(trace).numbers.length : 0;
    const totals = rangeTotals(trace, attribution, groups, chosen);
    return {groups, totals, steps, allGpuWorkNs: gpuWorkIn(trace, chosen)};
  });
}
