import {runInNewContext} from 'node:vm';
import {TraceError} from '../core/errors.js';
import {matchingNames, textTest, type SearchQuery} from '../core/queries/search-slices.js';
import type {Trace} from '../core/trace/trace.js';

/** A pattern that backtracks for ever is stopped after this. */
const regexLimitMs = 1000;

/** The last search of each trace: its next hit is asked for again and again. */
const lastOf = new WeakMap<Trace, {readonly key: string; readonly fits: Uint8Array}>();

/**
 * String index → 1 for the names of a trace that a query means.
 *
 * @throws TraceError `search/bad-pattern` where the regular expression is none, or takes too long
 */
export function namesThatFit(trace: Trace, query: SearchQuery): Uint8Array {
  const key = JSON.stringify(query);
  const last = lastOf.get(trace);
  if (last?.key === key && last.fits.length === trace.strings.length) return last.fits;
  const fits = query.isRegex ? byRegex(trace, query.text) : matchingNames(trace.strings, textTest(query));
  lastOf.set(trace, {key, fits});
  return fits;
}

function byRegex({strings}: Trace, text: string): Uint8Array {
  let pattern: RegExp;
  try {
    pattern = new RegExp(text, 'iu');
  } catch {
    throw new TraceError('search/bad-pattern', `"${text}" is no regular expression.`);
  }
  if (text === '') return new Uint8Array(strings.length);
  // The text is a pattern and never code: the context is there for its clock, which stops a match that does not end.
  const search = () => matchingNames(strings, name => pattern.test(name));
  try {
    return runInNewContext('search()', {search}, {timeout: regexLimitMs}) as Uint8Array;
  } catch {
    throw new TraceError('search/bad-pattern', `The search for "${text}" takes too long: make the pattern simpler.`);
  }
}
