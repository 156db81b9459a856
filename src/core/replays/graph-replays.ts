import {launchLinks} from '../attribution/link-launches.js';
import {getOrAdd} from '../table/get-or-add.js';
import {namesThat} from '../trace/names-that.js';
import type {Trace} from '../trace/trace.js';

/** One launch of a graph, and what it ran. */
export interface GraphReplay {
  /** Row of `apiCalls`: the launch. */
  readonly call: number;
  /** Rows of `gpuOperations` in the order of the graph's nodes: by their numbers where all have one, else by start. */
  readonly operations: Int32Array;
}

/**
 * The launches of graphs whose operations the profiler recorded one by one, in the order of the launches.
 *
 * @param nodeIds number of the graph's node by GPU operation, -1 where the profile does not say
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
