import {errors} from 'playwright-core';

/** Returns false for a step of Playwright that timed out, and throws every other error. */
export function falseOnTimeout(error: unknown): false {
  if (error instanceof errors.TimeoutError) return false;
  throw error;
}
