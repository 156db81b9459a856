import type {TestContext} from 'vitest';

/** Skips a test with a reason, and prints it: some reporters keep it to themselves. */
export function skipTest(context: TestContext, reason: string): void {
  console.warn(`skipped: ${reason}`);
  context.skip(reason);
}
