import {waitCauses, waitingCalls, type Stall, type WaitCause, type WaitingCalls} from '../attribution/waiting-calls.js';
import type {NamePattern} from '../names/name-pattern.js';
import {getOrAdd} from '../table/get-or-add.js';
import {derived, derivedKey, derivedPart} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {anomalyChecks} from './anomaly-checks.js';
import {frameStalls, type FrameStall} from './frame-stalls.js';
import {byName, namesOfLines} from './line-timings.js';
import {attributionOf} from '../scope/attribution-of.js';
import {stepScope} from '../scope/step-scope.js';

/** Measurements in the ranges that one line opens. */
export interface LineStalls {
  /** Waits of calls whose innermost range of the user is one of these, by cause. */
  readonly waits: Readonly<Record<WaitCause, Stall>>;
  /** How long the GPU continued the ranges' work after they were closed. */
  readonly tailNs: number;
  /**
   * Wall time of the first instance in the whole profile, and the median of the others; NaN for few instances or
   * several names.
   */
  readonly firstWallNs: number;
  readonly laterWallNs: number;
}

/** A profile's measurements of the mistakes that hints are about. @see docs/metrics.md#hints */
export interface Stalls {
  /** The number of steps that figures are sums over; 0 for the whole profile. */
  readonly steps: number;
  /** Wall time of the steps, or from the first to the last event. */
  readonly wallNs: number;
  /** Whether reading one value can be told from other copies to the host. */
  readonly hasOperators: boolean;
  readonly lines: readonly LineStalls[];
  /** By the user's functions, if the profile has Python stacks. */
  readonly frames: readonly FrameStall[];
  /** The cost of autograd's anomaly mode: wall time of its checks. */
  readonly anomaly: Stall;
}

const anomalyChecksKey = derivedKey<Stall>('anomaly checks');

const frameStallsKey = derivedKey<readonly FrameStall[]>('frame stalls');

const waitsKey = derivedKey<Map<number, Waits>>('waits');

const waitingCallsKey = derivedKey<WaitingCalls>('waiting calls');

/** Returns the stalls of lines, given the names that each can open. @throws TraceError `trace/too-many-open-ranges` */
export function stallsOf(trace: Trace, lines: readonly (readonly NamePattern[])[]): Stalls {
  const scope = stepScope(trace);
  const steps = scope.numbers.length;
  const of: 'steps' | 'profile' = steps > 0 ? 'steps' : 'profile';
  const isChosen = steps > 0 ? (row: number) => scope.stepOfSlice(row) >= 0 : () => true;
  const calls = derived(trace, waitingCallsKey, () => waitingCalls(trace, attributionOf(trace).sites));
  const waitsOfName = derivedPart(trace, waitsKey, of, () => waitsByName(trace, calls, isChosen));
  const {groups, totals} = byName(trace, of);
  const stallsOfNames = (names: readonly number[]): LineStalls => ({
    waits: sumOf(names.map(group => waitsOfName.get(groups.name[group]) ?? noWaits())),
    tailNs: names.reduce((sum, group) => sum + totals.gpuTailNs[group], 0),
    ...firstAndLater(trace, names.length === 1 ? groups.name[names[0]] : -1),
  });
  return {
    steps,
    wallNs: steps > 0 ? scope.wallNs : trace.spanNs,
    hasOperators: calls.hasOperators,
    lines: namesOfLines(trace, lines).map(stallsOfNames),
    frames: derivedPart(trace, frameStallsKey, of, () => frameStalls(trace, calls, isChosen)),
    anomaly: derivedPart(trace, anomalyChecksKey, of, () => anomalyChecks(trace, isChosen)),
  };
}

type Waits = Record<WaitCause, {calls: number; blockedNs: number}>;

function noWaits(): Waits {
  const none = () => ({calls: 0, blockedNs: 0});
  return {item: none(), copy: none(), other: none()};
}

/** Name (in the string table) → the waits of calls whose innermost range has this name. */
function waitsByName(
  {slices}: Trace,
  {slice, range, cause, isSameWait}: WaitingCalls,
  isChosen: (row: number) => boolean,
): Map<number, Waits> {
  const waits = new Map<number, Waits>();
  for (let call = 0; call < slice.length; call++) {
    if (range[call] < 0 || !isChosen(slice[call])) continue;
    const wait = getOrAdd(waits, slices.name[range[call]], noWaits)[waitCauses[cause[call]]];
    wait.calls += 1 - isSameWait[call];
    wait.blockedNs += slices.durationNs[slice[call]];
  }
  return waits;
}

function sumOf(all: readonly Waits[]): Waits {
  const sum = noWaits();
  for (const waits of all) {
    for (const cause of waitCauses) {
      sum[cause].calls += waits[cause].calls;
      sum[cause].blockedNs += waits[cause].blockedNs;
    }
  }
  return sum;
}

/** Fewer later instances do not show what is usual. */
const fewestLater = 2;

function firstAndLater(trace: Trace, name: number): Pick<LineStalls, 'firstWallNs' | 'laterWallNs'> {
  const {startNs, durationNs, name: nameOf} = trace.slices;
  const rows = [...attributionOf(trace).ranges.slice].filter(row => nameOf[row] === name);
  if (rows.length <= fewestLater) return {firstWallNs: NaN, laterWallNs: NaN};
  const [first, ...later] = rows.sort((a, b) => startNs[a] - startNs[b]);
  const walls = later.map(row => durationNs[row]).sort((a, b) => a - b);
  const laterWallNs = (walls[(walls.length - 1) >> 1] + walls[walls.length >> 1]) / 2;
  return {firstWallNs: durationNs[first], laterWallNs};
}
