/** An impossible shape, system or parallelism. `message` is one sentence that says what to change. */
export class EstimateError extends Error {
  override readonly name = 'EstimateError';
}
