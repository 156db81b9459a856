import type {TestContext} from 'vitest';

/** Skips a test with a reason, and prints it, because some reporters do not. */
export function skipTest(context: TestContext, reason: string): void {
  console.warn(`skipped: ${reason}`);
  context.skip(reason);
}
