import type {Attribution} from '../attribution/attribute.js';
import {groupByName, type RangeGroups} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {chainsOfSites} from '../attribution/site-chains.js';
import type {RangeTotals} from '../attribution/totals-columns.js';
import {isExactName, matchesName, type NamePattern} from '../names/name-pattern.js';
import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {gpuSummary} from '../questions/info.js';
import {peakBytesOfNames} from '../figures/range-peaks.js';
import {attributionOf} from '../scope/attribution-of.js';
import {deviationOf, stepMoments, wallMoments} from '../scope/step-moments.js';
import {stepScope} from '../scope/step-scope.js';
import {
  chosenIn,
  derivedIn,
  gpuWorkIn,
  isTimeWindow,
  scopeIn,
  wallIn,
  type TimingScope,
} from '../scope/timing-scope.js';

/** One of the names that a line opened. */
interface NamedWork {
  readonly name: string;
  readonly count: number;
  /** Forward and backward together. */
  readonly workNs: number;
}

/** The time of the ranges that one line opened, all instances together; ns. @see docs/metrics.md#lines */
export interface LineTiming {
  /**
   * All steps of the profile, or a window if one was requested. The whole profile if it has no steps, or if the ranges
   * are in none.
   */
  readonly of: TimingScope;
  /** Number of steps that the figures cover; 0 for the profile or a window. */
  readonly steps: number;
  /** Number of instances; 0 if no range of the profile matches the line, or if the ranges contain the steps. */
  readonly count: number;
  /** Distinct names of these ranges, most work first: an f-string opens several. At most `mostNames`. */
  readonly names: readonly NamedWork[];
  readonly nameCount: number;
  /** The least work of any name. */
  readonly leastWorkNs: number;
  readonly cpuWallNs: number;
  /** Work launched inside the ranges on their own threads, and work that autograd launched for them. */
  readonly gpuWorkNs: number;
  readonly backwardGpuWorkNs: number;
  readonly gpuBusyNs: number;
  readonly backwardGpuBusyNs: number;
  /** Of forward work. */
  readonly gpuSpanNs: number;
  /** Forward and backward together. */
  readonly operations: number;
  readonly launches: number;
  /**
   * Standard deviation between steps of the work, or of the wall time without GPU work; NaN for fewer than two steps.
   */
  readonly stepDeviationNs: number;
  /**
   * A device's peak memory while one of the ranges was open; NaN if the profile does not record it, and for a window.
   */
  readonly peakBytes: number;
  /** All GPU work of the steps, the profile or the window, which shares refer to. */
  readonly allGpuWorkNs: number;
  /** Wall time of the steps, of the profile from its first to its last event, or of its part in the window. */
  readonly allWallNs: number;
  /** Whether the profile has any GPU work. */
  readonly isGpuProfile: boolean;
}

/** Further names of a line are counted, but not listed. */
export const mostNames = 32;

/**
 * Returns the timing of each line, given the names that it can open. An operation counts once per line, however its
 * ranges nest.
 *
 * @param of the scope of the sums; steps if the trace has any and the line's ranges are in them
 */
export function lineTimings(
  trace: Trace,
  lines: readonly (readonly NamePattern[])[],
  of: TimingScope = 'steps',
): LineTiming[] {
  const found = namesOfLines(trace, lines);
  const scope = scopeIn(trace, of);
  const timings = timingsOf(trace, found, scope);
  if (scope !== 'steps') return timings;
  const outside = found.map((names, line) => (isNone(timings[line]) ? names : []));
  if (outside.every(names => names.length === 0)) return timings;
  const whole = timingsOf(trace, outside, 'profile');
  return timings.map((timing, line) => (isNone(timing) && outside[line].length > 0 ? whole[line] : timing));
}

/** Returns whether the ranges of a line have nothing in the timing's scope. */
function isNone({count, gpuWorkNs, backwardGpuWorkNs}: LineTiming): boolean {
  return count === 0 && gpuWorkNs === 0 && backwardGpuWorkNs === 0;
}

/** Returns, for each line, the names (groups of `groupByName`) that match one of its patterns, ascending. */
export function namesOfLines(trace: Trace, lines: readonly (readonly NamePattern[])[]): readonly number[][] {
  const {groups} = byName(trace, 'profile');
  const texts = groups.name.map(name => trace.strings.get(name));
  const placeOf = new Map(texts.map((text, place) => [text, place]));
  return lines.map(patterns => {
    const places = new Set<number>();
    for (const pattern of patterns) {
      if (isExactName(pattern)) {
        const place = placeOf.get(pattern[0] ?? '');
        if (place !== undefined) places.add(place);
      } else texts.forEach((text, place) => matchesName(pattern, text) && places.add(place));
    }
    return [...places].sort((a, b) => a - b);
  });
}

/** Totals of groups in a scope, and their variation between steps. */
export interface ScopedTotals {
  readonly totals: RangeTotals;
  /** Group → sum of squares over steps; empty if the scope is not the steps. */
  readonly squares: Float64Array;
}

function totalsOf(trace: Trace, attribution: Attribution, groups: RangeGroups, of: TimingScope): ScopedTotals {
  const totals = rangeTotals(trace, attribution, groups, chosenIn(trace, of));
  if (of !== 'steps') return {totals, squares: new Float64Array(0)};
  const scope = stepScope(trace);
  const moments =
    trace.gpuOperations.length > 0
      ? stepMoments(trace, attribution, chainsOfSites(attribution, groups), scope, groups.length)
      : wallMoments(trace, attribution, groups, scope);
  return {totals, ...moments};
}

const totalsByNameKey = derivedKey<ReturnType<typeof byName>>('totals by name');

/** Returns the totals of every name, which is enough for most lines: they open one name. */
export function byName(
  trace: Trace,
  of: TimingScope,
): ScopedTotals & {readonly groups: ReturnType<typeof groupByName>} {
  return derivedIn(trace, of, totalsByNameKey, () => {
    const attribution = attributionOf(trace);
    const groups = groupByName(trace, attribution.ranges);
    return {groups, ...totalsOf(trace, attribution, groups, of)};
  });
}

function timingsOf(trace: Trace, namesOfLine: readonly (readonly number[])[], of: TimingScope): LineTiming[] {
  const named = byName(trace, of);
  const timings = namesOfLine.map(names => timingAt(trace, of, named, names[0] ?? -1, named, names));
  // Lines that can open the same names have the same figures.
  const lineOfNames = new Map<string, number>();
  const firstOf = namesOfLine.map((names, line) => getOrAdd(lineOfNames, names.join(), () => line));
  const several = namesOfLine.map((names, line) => (names.length > 1 && firstOf[line] === line ? names : []));
  const attribution = attributionOf(trace);
  for (const lineOfName of passesWithoutSharedNames(several)) {
    const groupOf = named.groups.groupOf.map(name => lineOfName.get(name) ?? -1);
    const totals = totalsOf(trace, attribution, {length: namesOfLine.length, groupOf}, of);
    for (const line of new Set(lineOfName.values())) {
      timings[line] = timingAt(trace, of, totals, line, named, namesOfLine[line]);
    }
  }
  return firstOf.map(line => timings[line]);
}

const gpuWorkKey = derivedKey<number>('gpu work');

/** @param at the line's group, -1 for a line without ranges */
function timingAt(
  trace: Trace,
  of: TimingScope,
  {totals, squares}: ScopedTotals,
  at: number,
  named: ReturnType<typeof byName>,
  names: readonly number[],
): LineTiming {
  const scope = of === 'steps' ? stepScope(trace) : null;
  const figure = (column: Float64Array) => (at < 0 ? 0 : column[at]);
  const isGpuTrace = trace.gpuOperations.length > 0;
  const ofStepsNs = isGpuTrace ? figure(totals.gpuWorkNs) + figure(totals.backwardGpuWorkNs) : figure(totals.cpuWallNs);
  const profileWorkNs = derived(trace, gpuWorkKey, () => gpuSummary(trace).workNs);
  return {
    of,
    steps: scope?.numbers.length ?? 0,
    count: figure(totals.count),
    ...workOfNames(trace, named, names),
    cpuWallNs: figure(totals.cpuWallNs),
    gpuWorkNs: figure(totals.gpuWorkNs),
    backwardGpuWorkNs: figure(totals.backwardGpuWorkNs),
    gpuBusyNs: figure(totals.gpuBusyNs),
    backwardGpuBusyNs: figure(totals.backwardGpuBusyNs),
    gpuSpanNs: figure(totals.gpuSpanNs),
    operations: figure(totals.operations) + figure(totals.backwardOperations),
    launches: figure(totals.launches) + figure(totals.backwardLaunches),
    stepDeviationNs: scope && at >= 0 ? deviationOf(ofStepsNs, squares[at], scope.numbers.length) : NaN,
    peakBytes: isTimeWindow(of) ? NaN : peakOf(trace, named, names),
    allGpuWorkNs: isTimeWindow(of) ? workInWindow(trace, of) : (scope?.workNs ?? profileWorkNs),
    allWallNs: wallIn(trace, of),
    isGpuProfile: profileWorkNs > 0,
  };
}

function workInWindow(trace: Trace, window: TimingScope): number {
  return derivedIn(trace, window, gpuWorkKey, () => gpuWorkIn(trace, chosenIn(trace, window)));
}

function workOfNames(
  {strings}: Trace,
  {groups, totals}: ReturnType<typeof byName>,
  names: readonly number[],
): Pick<LineTiming, 'names' | 'nameCount' | 'leastWorkNs'> {
  const workNs = (group: number) => totals.gpuWorkNs[group] + totals.backwardGpuWorkNs[group];
  const sorted = [...names].sort((a, b) => workNs(b) - workNs(a) || a - b);
  return {
    names: sorted.slice(0, mostNames).map(group => ({
      name: strings.get(groups.name[group]),
      count: totals.count[group],
      workNs: workNs(group),
    })),
    nameCount: names.length,
    leastWorkNs: sorted.length === 0 ? 0 : workNs(sorted[sorted.length - 1]),
  };
}

function peakOf(trace: Trace, {groups}: ReturnType<typeof byName>, names: readonly number[]): number {
  const peaks = peakBytesOfNames(trace);
  return names.reduce((most, group) => {
    const bytes = peaks[groups.name[group]];
    return bytes <= most ? most : Number.isNaN(bytes) ? most : bytes;
  }, NaN);
}

/**
 * Returns passes that each map names to lines; several if lines share names. A range has one group per pass, and all
 * names of a line are in the same pass, so an operation inside several of them counts once.
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
