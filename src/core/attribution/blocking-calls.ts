import {namesThat} from '../trace/names-that.js';
import {apiCallKinds, kindMask} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';
import type {Attribution} from './attribute.js';
import {findStacks, threadScopes} from './find-stacks.js';
import {StackTreeBuilder, type StackTree} from './open-ranges.js';
import {splitOverlay} from './ranges.js';

/** API calls that return only when the GPU has finished something, and the ranges around them. */
export interface BlockingCalls {
  /** Rows of the slices table, ascending; of nested calls only the outermost. */
  readonly slice: Int32Array;
  readonly stacks: StackTree;
  /** Call → stack of the ranges around it on its thread, -1 for none. */
  readonly node: Int32Array;
}

/** Returns the blocking calls of an attribution's trace; they are computed once and kept with the attribution. */
export function blockingCalls(trace: Trace, attribution: Attribution): BlockingCalls {
  let calls = known.get(attribution);
  if (!calls) known.set(attribution, (calls = findCalls(trace, attribution)));
  return calls;
}

const known = new WeakMap<Attribution, BlockingCalls>();

function findCalls(trace: Trace, {ranges}: Attribution): BlockingCalls {
  const slice = outermostCalls(trace, isBlockingCall(trace));
  const {stacked} = splitOverlay(trace, ranges.slice);
  const rows = stacked === null ? ranges.slice : stacked.map(range => ranges.slice[range]);
  const tree = new StackTreeBuilder();
  const {node} = findStacks(trace, {rows, ids: stacked, scopeOfTrack: threadScopes(trace)}, slice, tree);
  return {slice, stacks: tree.finish(), node};
}

/**
 * Returns whether a call waits for the GPU, by its name with or without nsys's version suffix: synchronisations, and
 * copies that are not asynchronous. Other calls may wait as well (an allocation, a full queue), but no name shows it.
 */
export function isBlockingName(name: string): boolean {
  return /^(?:cuda|cu|hip)(?:(?:Device|Stream|Event|Ctx)Synchronize|Mem(?:cpy|set)(?!.*Async))/.test(name);
}

/** Returns a test, by row, of whether an API call's name says that it waits for the GPU. */
export function isBlockingCall(trace: Trace): (row: number) => boolean {
  return namesThat(trace, isBlockingName);
}

/** Returns the API calls that wait, ascending; of nested calls only the outermost. */
export function outermostCalls(trace: Trace, isWaiting: (row: number) => boolean): Int32Array {
  const {slices} = trace;
  const found: number[] = [];
  let openTrack = -1;
  let openUntilNs = -Infinity;
  const isCall = kindMask(apiCallKinds);
  for (let row = 0; row < slices.length; row++) {
    if (isCall[slices.kind[row]] === 0 || !isWaiting(row)) continue;
    if (slices.track[row] === openTrack && slices.startNs[row] < openUntilNs) continue;
    openTrack = slices.track[row];
    openUntilNs = slices.startNs[row] + slices.durationNs[row];
    found.push(row);
  }
  return Int32Array.from(found);
}
