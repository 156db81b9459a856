import {TraceError} from '../base/errors.js';

/**
 * Does some work with a pattern that somebody typed, and ends it where it takes too long: no look at a pattern tells
 * which names it would try for ever. Whoever has a clock gives one.
 */
export type TimeLimit = <Result>(pattern: string, work: () => Result) => Result;

/**
 * Whether a name has something in it that a regular expression means; case never counts.
 *
 * @throws TraceError `search/bad-pattern` where the text is no regular expression
 */
export function typedPattern(text: string): (name: string) => boolean {
  try {
    const pattern = new RegExp(text, 'iu');
    return name => pattern.test(name);
  } catch {
    throw new TraceError('search/bad-pattern', `"${text}" is no regular expression.`);
  }
}
