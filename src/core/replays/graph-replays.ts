import {launchLinks} from '../attribution/link-launches.js';
import {getOrAdd} from '../table/get-or-add.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';

/** One launch of a graph, and the operations that it ran. */
export interface GraphReplay {
  /** Row of `apiCalls` of the launch. */
  readonly call: number;
  /** Rows of `gpuOperations` in the order of the graph's nodes: by node number if all have one, else by start. */
  readonly operations: Int32Array;
}

/**
 * Returns the launches of graphs whose operations the profiler recorded individually, in the order of the launches.
 *
 * @param nodeIds the number of the graph's node by GPU operation, -1 if the profile does not record it
 */
export function graphReplays(trace: Trace, nodeIds: Float64Array | null): GraphReplay[] {
  const {slices, apiCalls} = trace;
  const isLaunch = namesThat(trace, name => name.includes('GraphLaunch'));
  const ofCall = new Map<number, number[]>();
  launchLinks(trace).callOf.forEach((call, operation) => {
    if (call >= 0 && isLaunch(apiCalls.slice[call])) getOrAdd(ofCall, call, () => []).push(operation);
  });
  const startOf = (call: number) => slices.startNs[apiCalls.slice[call]];
  return [...ofCall]
    .sort(([a], [b]) => startOf(a) - startOf(b) || a - b)
    .map(([call, operations]) => ({call, operations: inOrderOfNodes(operations, nodeIds)}));
}

function inOrderOfNodes(operations: readonly number[], nodeIds: Float64Array | null): Int32Array {
  const ordered = Int32Array.from(operations);
  if (!nodeIds || operations.some(operation => nodeIds[operation] === -1)) return ordered;
  return ordered.sort((a, b) => nodeIds[a] - nodeIds[b] || a - b);
}
