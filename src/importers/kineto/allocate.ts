/**
 * What `take` gives, which wants memory in WebAssembly: where that ends, it stops with a word that says nothing.
 *
 * @throws RangeError, as JavaScript does where memory ends
 */
export function allocate<T>(take: () => T): T {
  try {
    return take();
  } catch (error) {
    throw new RangeError('Allocation failed in the memory of WebAssembly.', {cause: error});
  }
}
