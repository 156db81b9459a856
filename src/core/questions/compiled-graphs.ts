import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** The location of the graphs that torch.compile made, according to the profile: Inductor's cache. */
export interface CompiledGraphs {
  /** The file of one Triton kernel, as the profile spells it. Its folder is inside the cache. */
  readonly kernelFile: string;
  /** Keys of the graphs that were called. */
  readonly keys: readonly string[];
}

/** Inductor's name for the range in which a cached graph runs. @see torch/_inductor/output_code.py */
const callOfGraph = /^## Call CompiledFxGraph (f[a-z0-9]{20,100}) ##$/;
/** One kernel is enough to find the folder, but handwritten kernels are in no cache. */
const mostKernels = 10;

/**
 * Returns the keys of the compiled graphs that a trace calls, and the first slice of some Triton kernels' operators.
 */
export function calledGraphs({slices, strings}: Trace): {keys: string[]; kernels: number[]} {
  const keys: string[] = [];
  const kernels = new Set<number>();
  for (let name = 0; name < strings.length; name++) {
    const text = strings.get(name);
    const key = callOfGraph.exec(text)?.[1];
    if (key !== undefined) keys.push(key);
    else if (kernels.size < mostKernels && text.startsWith('triton_')) kernels.add(name);
  }
  const found: number[] = [];
  for (let slice = 0; keys.length > 0 && kernels.size > 0 && slice < slices.length; slice++) {
    if (slices.kind[slice] === kindIndex.cpu_op && kernels.delete(slices.name[slice])) found.push(slice);
  }
  return {keys, kernels: found};
}
