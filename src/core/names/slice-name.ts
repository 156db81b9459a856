/**
 * Returns a slice's name for display: without the ABI version that nsys appends to API calls
 * (`cudaLaunchKernel_v7000`), and without the return type of a demangled kernel.
 */
export function displayName(name: string): string {
  return name.replace(/^(cu[A-Za-z]\w*)_v\d+$/, '$1').replace(/^void (?=[\w:]+[<(])/, '');
}
