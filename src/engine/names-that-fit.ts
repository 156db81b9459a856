import {matchingNames, textTest, type SearchQuery} from '../core/questions/search-slices.js';
import {typedPattern} from '../core/names/typed-pattern.js';
import type {Trace} from '../core/trace/trace.js';
import {withTimeLimit} from './time-limit.js';

/** The last search of each trace, because its next hit is requested again and again. */
const lastOf = new WeakMap<Trace, {readonly key: string; readonly fits: Uint8Array}>();

/**
 * Returns an array with 1 at the string index of each name that matches a query.
 *
 * @throws TraceError `search/bad-pattern` if the regular expression is invalid, or takes too long
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
  const fits = typedPattern(text);
  return text === '' ? new Uint8Array(strings.length) : withTimeLimit(text, () => matchingNames(strings, fits));
}
