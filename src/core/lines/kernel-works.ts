import {derivedKey} from '../trace/derived.js';
import {groupByName} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {lineFigures} from '../attribution/totals-columns.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, type TimingScope} from '../scope/timing-scope.js';

/**
 * Work that the operators of one name launched. Operators of kernels that torch.compile made have the kernel's name.
 */
interface KernelWork {
  readonly name: string;
  readonly count: number;
  readonly cpuWallNs: number;
  /** Includes operators that autograd called. */
  readonly gpuWorkNs: number;
  readonly operations: number;
  readonly launches: number;
}

/** The work of some kernels. */
export interface KernelWorks {
  /** The number of steps that figures are sums over; 0 for the whole profile or a window. */
  readonly steps: number;
  /** All GPU work of the steps, the profile or the window, which shares refer to. */
  readonly allGpuWorkNs: number;
  /** Those that launched GPU work, in the order of the requested names. */
  readonly kernels: readonly KernelWork[];
}

/**
 * Returns the GPU work of compiled kernels by name.
 *
 * @param of the scope of the sums; steps if the trace has any
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
