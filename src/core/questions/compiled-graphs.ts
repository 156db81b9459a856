import {kindIndex} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/** Where a profile says that the graphs lie which torch.compile made: in Inductor's cache. */
export interface CompiledGraphs {
  /** The file of one Triton kernel, as the profile spells it: the cache is around its folder. */
  readonly kernelFile: string;
  /** Keys of the graphs that were called. */
  readonly keys: readonly string[];
}

/** Inductor calls the range so in which a graph runs that its cache has or gets. @see torch/_inductor/output_code.py */
const callOfGraph = /^## Call CompiledFxGraph (f[a-z0-9]{20,100}) ##$/;
/** One kernel tells the folder of all; some were made by hand, and are in no cache. */
const mostKernels = 10;

/** Keys of the compiled graphs that a trace calls, and the first slice of some Triton kernels' operators. */
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
