import {lowerBound} from '../table/search.js';
import {kindMask, taggedRangeKinds} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import {stackRows, type CallStacks} from './call-stacks.js';

/** A captured call and its surroundings, as rows of the capture's slices. */
export interface CapturedStack {
  readonly call: number;
  /** The outermost first. */
  readonly around: readonly number[];
  /** Returns the row of a slice in the capture's operators; -1 for none. */
  readonly operatorOf: (slice: number) => number;
}

/**
 * Returns what was around a captured call, except for the circumstances of the capture. Of slices that began before the
 * capture, it excludes ranges, and the outermost modules and frames that are also open around the replay's launch.
 *
 * @param launchNames names of the slices around the launch, the outermost first
 */
export function capturedStack(
  captured: Trace,
  stacks: CallStacks,
  call: number,
  beginNs: number,
  launchNames: readonly string[],
): CapturedStack {
  const {slices, strings, operators} = captured;
  const rows = stackRows(stacks.tree, stacks.nodeOf.get(call) ?? -1);
  const isOutside = (row: number) => slices.startNs[row] < beginNs;
  let shared = 0;
  while (
    shared < rows.length &&
    shared < launchNames.length &&
    isOutside(rows[shared]) &&
    strings.get(slices.name[rows[shared]]) === launchNames[shared]
  )
    shared++;
  const around = rows.slice(shared).filter(row => !isOutside(row) || isRange[slices.kind[row]] === 0);
  return {call, around, operatorOf};

  function operatorOf(slice: number): number {
    const row = lowerBound(operators.slice, slice);
    return operators.slice[row] === slice ? row : -1;
  }
}

const isRange = kindMask(taggedRangeKinds);
