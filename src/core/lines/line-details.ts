import type {Attribution} from '../attribution/attribute.js';
import {insideNs, type Chosen} from '../attribution/chosen.js';
import type {GroupChains} from '../attribution/group-chains.js';
import type {RangeGroups} from '../attribution/range-groups.js';
import {rangeTotals} from '../attribution/range-totals.js';
import {chainsOfSites} from '../attribution/site-chains.js';
import {matchesName, type NamePattern} from '../names/name-pattern.js';
import {getOrAdd} from '../table/get-or-add.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';
import {lineTimings, type LineTiming} from './line-timings.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';
import {chosenIn, isTimeWindow, type TimingScope} from '../scope/timing-scope.js';

/** Least, median and greatest figure of instances; NaN if there are none. */
export interface Spread {
  readonly leastNs: number;
  readonly medianNs: number;
  readonly mostNs: number;
}

interface KernelWork {
  readonly name: string;
  readonly workNs: number;
  readonly count: number;
}

/** Details of a line's ranges that the text above the line does not show. @see docs/metrics.md#line-details */
export interface LineDetails {
  readonly timing: LineTiming;
  /** GPU work of an instance, forward and backward together, and its wall time. */
  readonly instanceWork: Spread;
  readonly instanceWall: Spread;
  /** The GPU operations with the most work first. */
  readonly kernels: readonly KernelWork[];
  /** The number of operations with other names. */
  readonly otherKernels: number;
  /** Work of each step, in order; only the last steps of a longer profile. Empty if figures are not of steps. */
  readonly stepWorkNs: readonly number[];
  /** Wall time of the instances that begin in each of these steps. */
  readonly stepWallNs: readonly number[];
}

const mostKernels = 5;
/** A sparkline has room for no more. */
const mostSteps = 60;

/** Returns the contents of a line's hover, given the names that the line can open. */
export function lineDetails(trace: Trace, patterns: readonly NamePattern[], of: TimingScope): LineDetails {
  const [timing] = lineTimings(trace, [patterns], of);
  const attribution = attributionOf(trace);
  const chosen = chosenIn(trace, timing.of);
  const isOwn = ownRanges(trace, attribution, patterns);
  return {
    timing,
    ...instances(trace, attribution, isOwn, chosen, isTimeWindow(timing.of)),
    ...workOfOperations(trace, attribution, isOwn, timing.of),
  };
}

/** Range → 1 if its name matches. */
function ownRanges(trace: Trace, {ranges}: Attribution, patterns: readonly NamePattern[]): Uint8Array {
  const fits = namesThat(trace, text => patterns.some(part => matchesName(part, text)));
  return Uint8Array.from(ranges.slice, row => (fits(row) ? 1 : 0));
}

/**
 * Returns spreads over the chosen instances. In a window, work covers the instances that have work in it, even if they
 * were closed before; wall time covers the instances that are open in it.
 */
function instances(
  trace: Trace,
  attribution: Attribution,
  isOwn: Uint8Array,
  chosen: Chosen,
  isInWindow: boolean,
): Pick<LineDetails, 'instanceWork' | 'instanceWall'> {
  const {slice} = attribution.ranges;
  const {isSliceChosen} = chosen;
  let length = 0;
  const groupOf = Int32Array.from(isOwn, (own, range) =>
    own === 1 && (isInWindow || isSliceChosen === null || isSliceChosen(slice[range])) ? length++ : -1,
  );
  const groups: RangeGroups = {length, groupOf};
  const totals = rangeTotals(trace, attribution, groups, chosen);
  const workNs = totals.gpuWorkNs.subarray(0, length).map((ns, at) => ns + totals.backwardGpuWorkNs[at]);
  const wallNs = totals.cpuWallNs.slice(0, length);
  if (!isInWindow) return {instanceWork: spreadOf(workNs), instanceWall: spreadOf(wallNs)};
  const hasWork = (_: number, at: number) => totals.operations[at] + totals.backwardOperations[at] > 0;
  const isOpen = (_: number, at: number) => totals.count[at] > 0;
  return {instanceWork: spreadOf(workNs.filter(hasWork)), instanceWall: spreadOf(wallNs.filter(isOpen))};
}

function spreadOf(values: Float64Array): Spread {
  const sorted = values.sort();
  const {length} = sorted;
  if (length === 0) return {leastNs: NaN, medianNs: NaN, mostNs: NaN};
  const medianNs = (sorted[(length - 1) >> 1] + sorted[length >> 1]) / 2;
  return {leastNs: sorted[0], medianNs, mostNs: sorted[length - 1]};
}

type OfOperations = Pick<LineDetails, 'kernels' | 'otherKernels' | 'stepWorkNs' | 'stepWallNs'>;

function workOfOperations(trace: Trace, attribution: Attribution, isOwn: Uint8Array, of: TimingScope): OfOperations {
  const {slices, gpuOperations} = trace;
  const scope = of === 'steps' ? stepScope(trace) : null;
  const chosen = chosenIn(trace, of);
  const isSiteOwn = sitesOf(attribution, isOwn);
  const stepWorkNs = new Float64Array(scope?.numbers.length ?? 0);
  const ofName = new Map<number, {workNs: number; count: number}>();
  for (let operation = 0; operation < gpuOperations.length; operation++) {
    const site = attribution.sites.siteOf[operation];
    if (site < 0 || isSiteOwn[site] === 0 || chosen.operations?.[operation] === 0) continue;
    const slice = gpuOperations.slice[operation];
    const workNs = insideNs(slices.startNs[slice], slices.durationNs[slice], chosen);
    const work = getOrAdd(ofName, slices.name[slice], () => ({workNs: 0, count: 0}));
    work.workNs += workNs;
    work.count++;
    if (scope !== null) stepWorkNs[scope.stepOf[operation]] += workNs;
  }
  return {
    ...mostWork(trace, ofName),
    stepWorkNs: [...stepWorkNs.slice(-mostSteps)],
    stepWallNs: wallOfSteps(trace, attribution, isOwn, of),
  };
}

/** Site → 1 if its work, forward or backward, belongs to the line. */
function sitesOf(attribution: Attribution, isOwn: Uint8Array): Uint8Array {
  const groups = {length: 1, groupOf: Int32Array.from(isOwn, own => own - 1)};
  const {chains, forward, backward} = chainsOfSites(attribution, groups);
  const isInLine = chainsWith(chains, 0);
  const counts = (chain: number) => chain >= 0 && isInLine[chain] === 1;
  return Uint8Array.from(forward, (chain, site) => (counts(chain) || counts(backward[site]) ? 1 : 0));
}

function mostWork(
  {strings}: Trace,
  ofName: ReadonlyMap<number, {workNs: number; count: number}>,
): Pick<LineDetails, 'kernels' | 'otherKernels'> {
  const names = [...ofName].sort((a, b) => b[1].workNs - a[1].workNs || a[0] - b[0]);
  return {
    kernels: names.slice(0, mostKernels).map(([name, work]) => ({name: strings.get(name), ...work})),
    otherKernels: Math.max(0, names.length - mostKernels),
  };
}

/** Chain → 1 if it contains a group. */
function chainsWith({length, group, parent}: GroupChains, wanted: number): Uint8Array {
  const has = new Uint8Array(length);
  for (let chain = 0; chain < length; chain++) {
    has[chain] = group[chain] === wanted || (parent[chain] >= 0 && has[parent[chain]] === 1) ? 1 : 0;
  }
  return has;
}

function wallOfSteps(trace: Trace, attribution: Attribution, isOwn: Uint8Array, of: TimingScope): number[] {
  if (of !== 'steps') return [];
  const {slices} = trace;
  const {numbers, stepOfSlice} = stepScope(trace);
  const wallNs = new Float64Array(numbers.length);
  for (let range = 0; range < isOwn.length; range++) {
    const row = attribution.ranges.slice[range];
    const step = isOwn[range] === 1 ? stepOfSlice(row) : -1;
    if (step >= 0) wallNs[step] += slices.durationNs[row];
  }
  return [...wallNs.slice(-mostSteps)];
}
