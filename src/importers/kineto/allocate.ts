/**
 * Returns the result of `take`, which allocates memory in WebAssembly and traps without a useful message if there is
 * none.
 *
 * @throws RangeError, as JavaScript does when memory runs out
 */
export function allocate<T>(take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw new RangeError('Allocation failed in the memory of WebAssembly.', {cause: error});
  }
}
