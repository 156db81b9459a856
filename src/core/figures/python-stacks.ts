import {autogradOperators} from '../attribution/autograd-operators.js';
import {linkForwardOperators} from '../attribution/forward-operators.js';
import {kindMask, type SliceKind} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

const isFrame = kindMask(new Set<SliceKind>(['module', 'python_function']));
const isNested = kindMask(new Set<SliceKind>(['cpu_op', 'user_annotation', 'module', 'python_function']));

/** The name of the slice that PyTorch's engine opens around each backward operator. */
const engineName = /^autograd::engine::evaluate_function: (.*)$/;

/** Frames that PyTorch leaves out of stacks: those whose text contains both words. */
const leftOutFrames: readonly (readonly [string, string])[] = [
  ['autograd/__init__', '_make_grads'],
  ['autograd/__init__', 'backward'],
  ['torch/tensor', 'backward'],
  ['_internal/common_utils', 'prof_callable'],
  ['_internal/common_utils', 'prof_func_call'],
  ['_internal/common_utils', 'prof_meth_call'],
];

/**
 * Returns a function that gives the Python frames around an event (row of `slices`), the innermost first, at most
 * `most`.
 *
 * They are the frames open when the event begins. As in PyTorch, a backward operator and everything inside it have the
 * frames of their forward operator, none if that is unknown. GPU work and API calls have none.
 *
 * @see torch/autograd/profiler_util.py, EventList._set_backward_stacktraces
 */
export function pythonStacks(trace: Trace, most: number): (slice: number) => readonly string[] {
  const {slices, strings} = trace;
  const around = framesAround(trace);
  const frameNames = new Map<number, string>();
  return slice => {
    const frames: string[] = [];
    for (let at = slice < 0 ? -1 : around[slice]; at >= 0 && frames.length < most; at = around[at]) {
      const name = nameOf(slices.name[at]);
      if (!leftOutFrames.some(([file, word]) => name.includes(file) && name.includes(word))) frames.push(name);
    }
    return frames;
  };

  function nameOf(index: number): string {
    let name = frameNames.get(index);
    if (name === undefined) frameNames.set(index, (name = strings.get(index)));
    return name;
  }
}

/** Returns slice → the innermost frame around it, -1 if there is none. */
function framesAround(trace: Trace): Int32Array {
  const {slices, tracks} = trace;
  const {kind, startNs, durationNs} = slices;
  const around = new Int32Array(slices.length).fill(-1);
  // Operator → the backward operator that it is or runs inside.
  const backward = new Map<number, number>();
  const isBackward = backwardNames(trace);
  const frames: number[] = [];
  const operators: number[] = [];
  for (const {firstSlice, endSlice} of tracks) {
    frames.length = 0;
    operators.length = 0;
    for (let row = firstSlice; row < endSlice; row++) {
      if (isNested[kind[row]] === 0) continue;
      around[row] = innermost(frames, row);
      if (isFrame[kind[row]] === 1) {
        frames.push(row);
        continue;
      }
      const operator = innermost(operators, row);
      const own = backward.get(operator) ?? (operator >= 0 && isBackward(row, operator) ? row : undefined);
      if (own !== undefined) backward.set(row, own);
      operators.push(row);
    }
  }
  const forwardOf = forwardSlices(trace);
  for (const [row, own] of backward) {
    const forward = forwardOf.get(own) ?? -1;
    around[row] = forward < 0 ? -1 : around[forward];
  }
  return around;

  /** Returns the last open slice that has not ended when `row` begins, and removes those that have. */
  function innermost(open: number[], row: number): number {
    while (open.length > 0) {
      const top = open[open.length - 1];
      if (startNs[row] < startNs[top] + durationNs[top]) return top;
      open.pop();
    }
    return -1;
  }
}

/** Returns whether a slice is the backward operator that the slice around it runs. */
function backwardNames({slices, strings}: Trace): (row: number, around: number) => boolean {
  const operatorOf = new Map<number, number>();
  return (row, around) => {
    const name = slices.name[around];
    let operator = operatorOf.get(name);
    if (operator === undefined) {
      const match = engineName.exec(strings.get(name));
      operatorOf.set(name, (operator = match ? strings.find(match[1]) : -1));
    }
    return operator === slices.name[row];
  };
}

/** Returns backward operator → its forward operator, both rows of `slices`. */
function forwardSlices(trace: Trace): Map<number, number> {
  const operators = autogradOperators(trace);
  const {forwardOf} = linkForwardOperators(trace, operators);
  return new Map(Array.from(operators.slice, (row, operator) => [row, forwardOf[operator]]));
}
