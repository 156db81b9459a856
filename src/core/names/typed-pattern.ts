import {say} from '../base/say.js';
import {TraceError} from '../base/errors.js';

/**
 * Runs some work with a pattern that a user typed, and aborts it if it takes too long: inspecting a pattern does not
 * show for which names it would never end. The caller, which has a clock, provides one.
 */
export type TimeLimit = <Result>(pattern: string, work: () => Result) => Result;

/**
 * Returns a test of whether a name contains a match of a regular expression; case is ignored.
 *
 * @throws TraceError `search/bad-pattern` if the text is not a regular expression
 */
export function typedPattern(text: string): (name: string) => boolean {
  try {
    const pattern = new RegExp(text, 'iu');
    return name => pattern.test(name);
  } catch {
    throw new TraceError('search/bad-pattern', say('"{0}" is not a regular expression.', text));
  }
}
