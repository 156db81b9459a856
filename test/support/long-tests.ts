/** Whether the long suite runs. */
export const isLongSuite = process.env['GPU_LENS_LONG'] === '1';

/**
 * Defines tests that only the long suite runs, in a file that `npm test` runs as well. The long suite runs such a file
 * whole, because tests may build on those before them.
 */
export function longTests(define: () => void): void {
  if (isLongSuite) define();
}
