/**
 * A slice's name as people read it: without the ABI version that nsys appends to API calls (`cudaLaunchKernel_v7000`),
 * and without the return type of a demangled kernel.
 */
export function displayName(name: string): string {
  return name.replace(/^(cu[A-Za-z]\w*)_v\d+$/, '$1').replace(/^void (?=[\w:]+[<(])/, '');
}

/** The name that stands for all steps: PyTorch numbers its profiler's steps, which makes each a range of its own. */
export function foldedName(name: string): string {
  return name.replace(/^ProfilerStep#\d+$/, 'ProfilerStep*');
}
