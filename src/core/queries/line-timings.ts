import {rangeTotals} from '../attribution/range-totals.js';
import {matchesName, type NamePattern} from '../source/name-pattern.js';
import type {Trace} from '../trace/trace.js';
import {gpuSummary} from './info.js';
import {attributionOf} from './ranges.js';

/** The time of the ranges that one line opened, all instances together; ns. @see docs/metrics.md#lines */
export interface LineTiming {
  /** Instances, 0 where no range of the profile fits the line. */
  readonly count: number;
  /** Distinct names of those ranges: an f-string opens several. */
  readonly names: readonly string[];
  readonly cpuWallNs: number;
  /** Work launched inside on the range's own thread, and work that autograd launched for it. */
  readonly gpuWorkNs: number;
  readonly backwardGpuWorkNs: number;
  /** All GPU work of the trace: what shares are of. */
  readonly allGpuWorkNs: number;
  /** First to last event of the trace. */
  readonly spanNs: number;
}

/**
 * The timing of each line, given the names that it can open. An operation counts once per line, however its ranges nest.
 */
export function lineTimings(trace: Trace, lines: readonly (readonly NamePattern[])[]): LineTiming[] {
  const {strings, slices, spanNs} = trace;
  const attribution = attributionOf(trace);
  const {ranges} = attribution;
  const allGpuWorkNs = gpuSummary(trace).workNs;
  const names = [...new Set(Array.from(ranges.slice, row => slices.name[row]))];
  const linesOfName = new Map(names.map(name => [name, linesMatching(strings.get(name), lines)]));
  const timings = lines.map(() => ({
    count: 0,
    names: [] as string[],
    cpuWallNs: 0,
    gpuWorkNs: 0,
    backwardGpuWorkNs: 0,
    allGpuWorkNs,
    spanNs,
  }));
  for (const [name, matching] of linesOfName) for (const line of matching) timings[line].names.push(strings.get(name));
  // A name can fit several lines, while a range has one group per pass: as many passes as lines share a name.
  const passes = Math.max(0, ...[...linesOfName.values()].map(({length}) => length));
  for (let pass = 0; pass < passes; pass++) {
    const groupOf = ranges.slice.map(row => linesOfName.get(slices.name[row])?.[pass] ?? -1);
    const totals = rangeTotals(trace, attribution, {length: lines.length, groupOf});
    timings.forEach((timing, line) => {
      timing.count += totals.count[line];
      timing.cpuWallNs += totals.cpuWallNs[line];
      timing.gpuWorkNs += totals.gpuWorkNs[line];
      timing.backwardGpuWorkNs += totals.backwardGpuWorkNs[line];
    });
  }
  return timings;
}

function linesMatching(name: string, lines: readonly (readonly NamePattern[])[]): number[] {
  return lines.flatMap((patterns, line) => (patterns.some(pattern => matchesName(pattern, name)) ? [line] : []));
}
