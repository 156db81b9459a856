import {isEngineName, isGradientAccumulation} from '../names/operator-name.js';
import {gatherColumn} from '../table/table.js';
import {derived, derivedKey} from '../trace/derived.js';
import type {Trace} from '../trace/trace.js';
import {autogradOperators, type AutogradOperators} from './autograd-operators.js';
import {linkForwardOperators} from './forward-operators.js';

/** The role of an operator in autograd. */
export const operatorRole = {none: 0, forward: 1, backward: 2, accumulation: 3} as const;

/** Operators that autograd numbers or runs. */
export interface NumberedOperators {
  /** Rows of the slices table, ascending. */
  readonly slice: Int32Array;
  /** Operator → one of `operatorRole`. */
  readonly role: Uint8Array;
  /** Backward operator → slice of its forward operator, -1 if unknown. */
  readonly forward: Int32Array;
  /**
   * Backward operator → 1 if several threads have a matching forward operator and the file does not say which it is.
   */
  readonly isForwardAssumed: Uint8Array;
  /** Whether the operators are also tagged ranges, as those of `autogradOperators`. */
  readonly areRanges: boolean;
  /** Whether there are backward operators. */
  readonly hasBackward: boolean;
  /** Track → 1 where backward operators run. */
  readonly runsBackward: Uint8Array;
  /** Track → 1 where autograd runs, with forward operators only inside backward ones (recomputation). */
  readonly isAutogradTrack: Uint8Array;
}

const numberedOperatorsKey = derivedKey<NumberedOperators>('numbered operators');

/**
 * Returns the backward operators (by `Fwd thread id`, or by name) and the forward ones that made an autograd node. They
 * are found once for all choices of ranges, and kept with the trace.
 */
export function numberedOperators(trace: Trace): NumberedOperators {
  return derived(trace, numberedOperatorsKey, () => findNumbered(trace));
}

function findNumbered(trace: Trace): NumberedOperators {
  const numbered = withRoles(trace, autogradOperators(trace));
  const {slice, role, areRanges} = numbered;
  const hasBackward = role.some(each => each >= operatorRole.backward);
  const {forwardOf: forward, isAssumed: isForwardAssumed} = hasBackward
    ? linkForwardOperators(trace, numbered)
    : {forwardOf: new Int32Array(slice.length).fill(-1), isAssumed: new Uint8Array(slice.length)};
  return {slice, role, forward, isForwardAssumed, areRanges, hasBackward, ...backwardTracks(trace, slice, role)};
}

/** Returns the operators that have a role; most have none. */
function withRoles(trace: Trace, operators: AutogradOperators): AutogradOperators & Pick<NumberedOperators, 'role'> {
  const {rows, role} = rowsWithRole(trace, operators);
  return {
    length: rows.length,
    slice: gatherColumn(operators.slice, rows),
    sequence: gatherColumn(operators.sequence, rows),
    forwardThread: gatherColumn(operators.forwardThread, rows),
    areRanges: operators.areRanges,
    role,
  };
}

function rowsWithRole(
  {slices: {name: nameOf}, strings}: Trace,
  {length, slice, sequence, forwardThread}: AutogradOperators,
): {rows: Uint32Array; role: Uint8Array} {
  // Read before the loop: V8 recompiles a loop that first meets them late.
  const {none, forward, backward} = operatorRole;
  const unknown = 255;
  const roleOfName = new Uint8Array(strings.length).fill(unknown);
  const rows = new Uint32Array(length);
  const role = new Uint8Array(length);
  let count = 0;
  for (let row = 0; row < length; row++) {
    const name = nameOf[slice[row]];
    if (roleOfName[name] === unknown) roleOfName[name] = namedRole(strings.get(name));
    const numbered = forwardThread[row] > 0 ? backward : sequence[row] >= 0 ? forward : none;
    const own = numbered > roleOfName[name] ? numbered : roleOfName[name];
    if (own === none) continue;
    rows[count] = row;
    role[count++] = own;
  }
  return {rows: rows.subarray(0, count), role: role.slice(0, count)};
}

function namedRole(name: string): number {
  if (isGradientAccumulation(name)) return operatorRole.accumulation;
  return isEngineName(name) ? operatorRole.backward : operatorRole.none;
}

/**
 * Finds the tracks of backward operators. Operators of a track are sorted by start, so one number holds the time until
 * which a backward one is open.
 */
function backwardTracks(
  {slices, tracks}: Trace,
  slice: Int32Array,
  role: Uint8Array,
): Pick<NumberedOperators, 'runsBackward' | 'isAutogradTrack'> {
  const runsBackward = new Uint8Array(tracks.length);
  const runsForward = new Uint8Array(tracks.length);
  const backwardUntilNs = new Float64Array(tracks.length).fill(-Infinity);
  for (let i = 0; i < slice.length; i++) {
    const track = slices.track[slice[i]];
    const startNs = slices.startNs[slice[i]];
    if (role[i] === operatorRole.forward) {
      if (startNs > backwardUntilNs[track]) runsForward[track] = 1;
    } else {
      runsBackward[track] = 1;
      backwardUntilNs[track] = Math.max(backwardUntilNs[track], startNs + slices.durationNs[slice[i]]);
    }
  }
  return {runsBackward, isAutogradTrack: runsBackward.map((runs, track) => (runsForward[track] === 1 ? 0 : runs))};
}
