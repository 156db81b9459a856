import {derivedKey} from '../trace/derived.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {lineFigures} from '../attribution/totals-columns.js';
import {parseCallLine} from '../source/call-line.js';
import {getOrAdd} from '../table/get-or-add.js';
import type {SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {gpuSummary} from '../questions/info.js';
import type {LineTiming} from './line-timings.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {chosenIn, derivedIn, gpuWorkIn, scopeIn, wallIn, type TimingScope} from '../scope/timing-scope.js';

/** The work of the torch calls on one line, as the line pass recorded it. */
export interface CallLine {
  /** As in the profile. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The name of its calls' ranges. */
  readonly name: string;
  readonly timing: LineTiming;
}

const linesOfCallsKey = derivedKey<CallLine[]>('lines of calls');

/**
 * Returns the lines after which the runner named ranges: in a trace of the line pass, every line that calls torch;
 * otherwise the automatic lines. Lines without work in the scope are omitted. Lines may nest: an operation counts once
 * for each line around it. Other traces have none.
 *
 * @see docs/metrics.md#call-lines
 */
export function callLines(trace: Trace, wanted: TimingScope): readonly CallLine[] {
  const of = scopeIn(trace, wanted);
  return derivedIn(trace, of, linesOfCallsKey, () => {
    const {slices, strings} = trace;
    const attribution = attributionOf(trace, {kinds: new Set<SliceKind>(['cpu_op'])});
    const places: {readonly file: string; readonly line: number; readonly name: string}[] = [];
    const groups = new Map<number, number>();
    const groupOf = attribution.ranges.slice.map(row =>
      getOrAdd(groups, slices.name[row], () => {
        const name = strings.get(slices.name[row]);
        const place = parseCallLine(name);
        return place ? places.push({...place, name}) - 1 : -1;
      }),
    );
    if (places.length === 0) return [];
    const chosen = chosenIn(trace, of);
    const totals = rangeTotals(trace, attribution, {length: places.length, groupOf}, chosen);
    const part = {
      of,
      steps: of === 'steps' ? stepScope(trace).numbers.length : 0,
      allGpuWorkNs: gpuWorkIn(trace, chosen),
      allWallNs: wallIn(trace, of),
      isGpuProfile: gpuSummary(trace).workNs > 0,
    };
    return places.flatMap((place, group): CallLine[] => {
      const workNs = totals.gpuWorkNs[group] + totals.backwardGpuWorkNs[group];
      if (totals.count[group] === 0 && workNs === 0) return [];
      const timing = {
        ...part,
        ...lineFigures(totals, group),
        ...{names: [], nameCount: 1, leastWorkNs: 0},
        ...{gpuBusyNs: totals.gpuBusyNs[group], backwardGpuBusyNs: totals.backwardGpuBusyNs[group]},
        gpuSpanNs: totals.gpuSpanNs[group],
        ...{stepDeviationNs: NaN, peakBytes: NaN},
      };
      return [{...place, timing}];
    });
  });
}
