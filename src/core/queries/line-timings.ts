import {groupByName} from '../attribution/range-groups.js';
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
  const {name: names} = groupByName(trace, ranges);
  const namesOfLine = lines.map(patterns =>
    names.filter(name => patterns.some(pattern => matchesName(pattern, strings.get(name)))),
  );
  const timings = lines.map(() => ({
    count: 0,
    names: [] as string[],
    cpuWallNs: 0,
    gpuWorkNs: 0,
    backwardGpuWorkNs: 0,
    allGpuWorkNs,
    spanNs,
  }));
  for (const lineOfName of passesWithoutSharedNames(namesOfLine)) {
    const lineOfString = new Int32Array(strings.length).fill(-1);
    for (const [name, line] of lineOfName) lineOfString[name] = line;
    const groupOf = ranges.slice.map(row => lineOfString[slices.name[row]]);
    const totals = rangeTotals(trace, attribution, {length: lines.length, groupOf});
    for (const line of new Set(lineOfName.values())) {
      const timing = timings[line];
      timing.names.push(...namesOfLine[line].map(name => strings.get(name)));
      timing.count = totals.count[line];
      timing.cpuWallNs = totals.cpuWallNs[line];
      timing.gpuWorkNs = totals.gpuWorkNs[line];
      timing.backwardGpuWorkNs = totals.backwardGpuWorkNs[line];
    }
  }
  return timings;
}

/**
 * Name → line, in as few passes as it takes when lines share names. A range has one group per pass, and all names of a
 * line stand in one pass, so that an operation inside several of them counts once.
 */
function passesWithoutSharedNames(namesOfLine: readonly (readonly number[])[]): Map<number, number>[] {
  const passes: Map<number, number>[] = [];
  namesOfLine.forEach((names, line) => {
    if (names.length === 0) return;
    let pass = passes.find(taken => !names.some(name => taken.has(name)));
    if (!pass) passes.push((pass = new Map<number, number>()));
    for (const name of names) pass.set(name, line);
  });
  return passes;
}
