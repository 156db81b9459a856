import {runInNewContext} from 'node:vm';
import {TraceError} from '../core/base/errors.js';

/** A pattern that backtracks for ever is stopped after this. */
const limitMs = 1000;

/**
 * The result of `work`, which looks for a pattern that somebody typed.
 *
 * @throws TraceError `search/bad-pattern` where that takes too long
 */
export function withTimeLimit<Result>(pattern: string, work: () => Result): Result {
  // The pattern is never code: the context is there for its clock, which stops a match that does not end.
  try {
    return runInNewContext('work()', {work}, {timeout: limitMs}) as Result;
  } catch (error) {
    if ((error as {code?: unknown} | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TraceError('search/bad-pattern', `The search for "${pattern}" takes too long: make the pattern simpler.`);
  }
}
