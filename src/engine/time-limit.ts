import {runInNewContext} from 'node:vm';
import {TraceError} from '../core/base/errors.js';
import {say} from '../core/base/say.js';

/** A pattern that backtracks without end is stopped after this time. */
const limitMs = 1000;

/**
 * Returns the result of `work`, which searches for a pattern that a user typed.
 *
 * @throws TraceError `search/bad-pattern` if that takes too long
 */
export function withTimeLimit<Result>(pattern: string, work: () => Result): Result {
  // The pattern is never run as code: the context is used for its timeout, which stops a match that does not end.
  try {
    return runInNewContext('work()', {work}, {timeout: limitMs}) as Result;
  } catch (error) {
    if ((error as {code?: unknown} | null)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new TraceError(
      'search/bad-pattern',
      say('The search for "{0}" takes too long. Use a simpler pattern.', pattern),
    );
  }
}
