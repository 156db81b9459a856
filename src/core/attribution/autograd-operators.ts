import {isBackwardName, parseOperatorName} from '../names/operator-name.js';
import type {WholeColumn} from '../table/table.js';
import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * Operators as autograd numbers them, in the order of the slices table: Kineto's operators, or the NVTX ranges that
 * PyTorch's `emit_nvtx` opens around operators.
 *
 * `sequence` is -1 if an operator has no autograd node. `forwardThread` is 0 for forward operators. For backward
 * operators it is above 0: the recorder's number of the forward thread, or `unknownThread`.
 */
export interface AutogradOperators {
  readonly length: number;
  readonly slice: Int32Array;
  readonly sequence: WholeColumn;
  readonly forwardThread: WholeColumn;
  /** Whether the operators are also tagged ranges: true for `emit_nvtx`. */
  readonly areRanges: boolean;
}

/** NVTX names mark an operator as backward but do not name its forward thread. No thread has this number. */
export const unknownThread = 2 ** 53;

/** Returns the operators of a trace; empty if the profiler recorded none. */
export function autogradOperators(trace: Trace): AutogradOperators {
  return trace.operators.length > 0 ? {...trace.operators, areRanges: false} : emittedOperators(trace);
}

function emittedOperators({slices, strings}: Trace): AutogradOperators {
  const {kind, name} = slices;
  const names = emittedNames(strings.length, index => strings.get(index));
  let length = 0;
  if (names) {
    for (let row = 0; row < slices.length; row++) {
      if (kind[row] === kindIndex.nvtx_pushpop && names.is[name[row]] === 1) length++;
    }
  }
  const slice = new Int32Array(length);
  const sequence = new Float64Array(length);
  const forwardThread = new Float64Array(length);
  for (let row = 0, at = 0; names && at < length; row++) {
    if (kind[row] !== kindIndex.nvtx_pushpop || names.is[name[row]] === 0) continue;
    slice[at] = row;
    sequence[at] = names.sequence[name[row]];
    forwardThread[at++] = names.isBackward[name[row]] === 1 ? unknownThread : 0;
  }
  return {length, slice, sequence, forwardThread, areRanges: true};
}

/** Returns the operator names among the strings, by string index; null if there are none, as in most reports. */
function emittedNames(
  length: number,
  textOf: (index: number) => string,
): {is: Uint8Array; sequence: Float64Array; isBackward: Uint8Array} | null {
  const is = new Uint8Array(length);
  const sequence = new Float64Array(length).fill(-1);
  const isBackward = new Uint8Array(length);
  let isAny = false;
  for (let index = 0; index < length; index++) {
    const parsed = parseOperatorName(textOf(index));
    if (!parsed) continue;
    isAny = true;
    is[index] = 1;
    sequence[index] = parsed.sequence;
    if (isBackwardName(parsed.text)) isBackward[index] = 1;
  }
  return isAny ? {is, sequence, isBackward} : null;
}
