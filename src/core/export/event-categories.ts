import {sliceKinds, type SliceKind} from '../trace/slices.js';

/** Kinds of slices that PyTorch's profiler does not write. In exported events, their category is their own name. */
export const nsysKinds = [
  ...(['nvtx_pushpop', 'nvtx_startend', 'cuda_graph_event', 'page_fault', 'osrt', 'library_call'] as const),
  ...(['vulkan_call', 'mpi', 'openacc', 'openmp', 'thread_running'] as const),
] satisfies readonly SliceKind[];

/** The category of a graph that ran as a whole. Its kind's name, "graph", may occur in any program's trace. */
export const graphCategory = 'cuda_graph';

/**
 * Returns the category of exported events by their kind's number, as Kineto spells it. Modules are Python functions.
 */
export function categoryOf(kind: number): string {
  const {[kind]: name} = sliceKinds;
  if (name === 'graph') return graphCategory;
  return name === 'module' ? 'python_function' : name;
}
