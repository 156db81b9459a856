import type {Trace} from '../trace/trace.js';
import {linkForwardOperators} from './forward-operators.js';

/** Autograd's own operators: by `Fwd thread id`, and by name where they run no numbered node (gradient accumulation). */
export interface BackwardOperators {
  /** Rows of the slices table, ascending. */
  readonly slice: Int32Array;
  /** Backward operator → row of the operators table of its forward operator, -1 where that is not known. */
  readonly forward: Int32Array;
  /** Track → 1 where autograd runs and no forward operator does. */
  readonly isAutogradTrack: Uint8Array;
}

export function findBackwardOperators(trace: Trace): BackwardOperators {
  const {operators, slices, tracks} = trace;
  const {forwardThread, sequence, length} = operators;
  const isBackward = new Uint8Array(length);
  const isAutogradTrack = new Uint8Array(tracks.length);
  const isForwardTrack = new Uint8Array(tracks.length);
  const isAutogradName = autogradNames(trace);
  let count = 0;
  for (let row = 0; row < length; row++) {
    const slice = operators.slice[row];
    if (forwardThread[row] > 0 || isAutogradName(slices.name[slice])) {
      isBackward[row] = 1;
      count++;
      isAutogradTrack[slices.track[slice]] = 1;
    } else if (sequence[row] >= 0) isForwardTrack[slices.track[slice]] = 1;
  }
  for (let track = 0; track < tracks.length; track++) if (isForwardTrack[track] === 1) isAutogradTrack[track] = 0;
  const slice = new Int32Array(count);
  const forward = new Int32Array(count);
  if (count > 0) {
    const forwardOf = linkForwardOperators(trace);
    for (let row = 0, at = 0; at < count; row++) {
      if (isBackward[row] === 0) continue;
      slice[at] = operators.slice[row];
      forward[at++] = forwardOf[row];
    }
  }
  return {slice, forward, isAutogradTrack};
}

function autogradNames({strings}: Trace): (name: number) => boolean {
  const unknown = 2;
  const known = new Uint8Array(strings.length).fill(unknown);
  return name => {
    if (known[name] === unknown) {
      const is = /^autograd::engine::evaluate_function: |^torch::autograd::AccumulateGrad$/.test(strings.get(name));
      known[name] = is ? 1 : 0;
    }
    return known[name] === 1;
  };
}
