import {matchingNames, textTest, type SearchQuery} from '../core/questions/search-slices.js';
import {typedPattern} from '../core/names/typed-pattern.js';
import type {Trace} from '../core/trace/trace.js';
import {withTimeLimit} from './time-limit.js';

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
  const fits = typedPattern(text);
  return text === '' ? new Uint8Array(strings.length) : withTimeLimit(text, () => matchingNames(strings, fits));
}
