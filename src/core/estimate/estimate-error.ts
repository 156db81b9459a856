/** A shape, a system or a parallelism that cannot be: `message` is one sentence that says what to change. */
export class EstimateError extends Error {
  override readonly name = 'EstimateError';
}
