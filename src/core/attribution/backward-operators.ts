import {isEngineName, isGradientAccumulation} from '../format/operator-name.js';
import type {Trace} from '../trace/trace.js';
import type {AutogradOperators} from './autograd-operators.js';
import {linkForwardOperators} from './forward-operators.js';

/** What an operator is to autograd. */
export const operatorRole = {none: 0, forward: 1, backward: 2, accumulation: 3} as const;

/** Operators that autograd numbers or runs. */
export interface NumberedOperators {
  /** Rows of the slices table, ascending. */
  readonly slice: Int32Array;
  /** Operator → one of `operatorRole`. */
  readonly role: Uint8Array;
  /** Backward operator → slice of its forward operator, -1 where that is not known. */
  readonly forward: Int32Array;
  /** Whether there is any backward one. */
  readonly hasBackward: boolean;
  /** Track → 1 where backward operators run. */
  readonly runsBackward: Uint8Array;
  /** Track → 1 where autograd runs, and forward operators only inside backward ones (recomputation). */
  readonly isAutogradTrack: Uint8Array;
}

/** Backward operators (by `Fwd thread id`, or by name) and the forward ones that made an autograd node. */
export function numberedOperators(trace: Trace, operators: AutogradOperators): NumberedOperators {
  const role = rolesOf(trace, operators);
  const rows = rowsWithRole(role);
  const slice = new Int32Array(rows.length);
  const roles = new Uint8Array(rows.length);
  const forward = new Int32Array(rows.length).fill(-1);
  for (let i = 0; i < rows.length; i++) {
    slice[i] = operators.slice[rows[i]];
    roles[i] = role[rows[i]];
  }
  const hasBackward = roles.some(each => each >= operatorRole.backward);
  if (hasBackward) putSlices(operators, linkForwardOperators(trace, operators), rows, forward);
  return {slice, role: roles, forward, hasBackward, ...backwardTracks(trace, slice, roles)};
}

function putSlices({slice}: AutogradOperators, forwardOf: Int32Array, rows: Int32Array, to: Int32Array): void {
  for (let i = 0; i < rows.length; i++) if (forwardOf[rows[i]] >= 0) to[i] = slice[forwardOf[rows[i]]];
}

function rolesOf({slices, strings}: Trace, operators: AutogradOperators): Uint8Array {
  const {length, slice, sequence, forwardThread} = operators;
  const role = new Uint8Array(length);
  const unknown = 255;
  const roleOfName = new Uint8Array(strings.length).fill(unknown);
  for (let row = 0; row < length; row++) {
    const name = slices.name[slice[row]];
    if (roleOfName[name] === unknown) roleOfName[name] = namedRole(strings.get(name));
    role[row] = Math.max(
      roleOfName[name],
      forwardThread[row] > 0 ? operatorRole.backward : sequence[row] >= 0 ? operatorRole.forward : operatorRole.none,
    );
  }
  return role;
}

function namedRole(name: string): number {
  if (isGradientAccumulation(name)) return operatorRole.accumulation;
  return isEngineName(name) ? operatorRole.backward : operatorRole.none;
}

function rowsWithRole(role: Uint8Array): Int32Array {
  const rows = new Int32Array(role.length);
  let count = 0;
  for (let row = 0; row < role.length; row++) if (role[row] !== operatorRole.none) rows[count++] = row;
  return rows.subarray(0, count);
}

/** Operators of a track follow each other by start, so one number says until when a backward one is open. */
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
