import {autogradOperators} from '../../attribution/autograd-operators.js';
import {linkForwardOperators} from '../../attribution/forward-operators.js';
import {say} from '../../base/say.js';
import type {IntervalSet} from '../../trace/interval-sets.js';
import type {Trace} from '../../trace/trace.js';
import type {ChangeEffect} from './change.js';
import {coverOf, isInside, launchedIn} from './launched-in.js';
import {namedSlices} from './named-slices.js';
import type {ReplayPlan} from './replay-plan.js';

/** The part of a profile that a change applies to. */
export interface NamedWork {
  isCovered(track: number, ns: number): boolean;
  has(operation: number): boolean;
}

const everything: NamedWork = {isCovered: () => true, has: () => true};

/**
 * Returns the work with a name: kernels of this name, and the times of ranges, operators, functions or lines of this
 * name, with the work that they launch and its backward pass. The whole profile for "". Null if nothing has the name.
 */
export function namedWork({trace, replay}: ReplayPlan, name: string): NamedWork | null {
  if (name === '') return everything;
  const {ofThreads, operations} = namedSlices(trace, name);
  if (ofThreads.length + operations.length === 0) return null;
  const cover = coverOf(trace, ofThreads);
  const rows = [...ofThreads, ...backwardOf(trace, ofThreads)];
  const inside = new Set([...operations, ...launchedIn(trace, replay, rows)]);
  return {
    isCovered: (track, ns) => isCovered(cover, track, ns),
    has: operation => inside.has(operation),
  };
}

/** Splits a value from the name after its first colon: `bf16:attention`; the name is "" if there is no colon. */
export function splitName(value: string): [value: string, name: string] {
  const at = value.indexOf(':');
  return at < 0 ? [value, ''] : [value.slice(0, at), value.slice(at + 1)];
}

/** Returns the effect for a name that nothing has. */
export const nothingCalled = (name: string): ChangeEffect => ({
  unknown: say('nothing in the profile is called "{0}"', name),
});

/** Returns the effect for a profile whose GPU is unknown. */
export const noDataSheet = (): ChangeEffect => ({
  unknown: say('the profile names no GPU with a known data sheet'),
});

/** Returns the backward operators of the forward operators that begin in some slices of threads. */
export function backwardOf(trace: Trace, rows: readonly number[]): number[] {
  const cover = coverOf(trace, rows);
  const operators = autogradOperators(trace);
  const {startNs, track} = trace.slices;
  const {forwardOf} = linkForwardOperators(trace, operators);
  const found: number[] = [];
  forwardOf.forEach((forward, at) => {
    if (forward >= 0 && isCovered(cover, track[forward], startNs[forward])) found.push(operators.slice[at]);
  });
  return found;
}

function isCovered(cover: ReadonlyMap<number, IntervalSet>, track: number, ns: number): boolean {
  const times = cover.get(track);
  return times !== undefined && isInside(times, ns);
}
