import {foldName, numberless} from '../names/operator-name.js';
import {namesThat} from '../trace/names-that.js';
import {rangeNameOf} from '../trace/nvtx-domains.js';
import type {Trace} from '../trace/trace.js';

/** A filter of ranges, in Nsight's form. */
export interface RangeFilter {
  readonly name: string;
  /** Null if ranges of any domain match. */
  readonly domain: string | null;
  /** The index among the matching ranges, from 0 in order of start; null for all. */
  readonly index: number | null;
}

/**
 * Parses `range[@domain][/index]`. A backslash quotes the next character: `loss\/scale`, `a\@b`.
 *
 * @see `nsys stats --help`, `--filter-nvtx`
 */
export function parseRangeFilter(text: string): RangeFilter {
  const index = /(?<!\\)\/(\d+)$/.exec(text);
  const body = index ? text.slice(0, index.index) : text;
  const at = unescapedAt(body);
  return {
    name: unescaped(at < 0 ? body : body.slice(0, at)),
    domain: at < 0 ? null : unescaped(body.slice(at + 1)),
    index: index ? Number(index[1]) : null,
  };
}

/** Returns a filter that matches exactly the ranges with a name. */
export function filterOfName(name: string): string {
  return name.replace(/[\\@]|\/(?=\d+$)/g, '\\$&');
}

/** Returns the position of the last unescaped `@`; -1 if there is none, or if nothing is before it. */
function unescapedAt(text: string): number {
  for (let at = text.length - 1; at > 0; at--) if (text[at] === '@' && text[at - 1] !== '\\') return at;
  return -1;
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

/**
 * Returns the matching ranges, ascending by row; with an index, the one at that place in order of start.
 *
 * The whole name must match, with or without its domain, or in folded form (`ProfilerStep*`).
 *
 * @param rangeSlice range → row of the slices table
 */
export function matchRanges(trace: Trace, rangeSlice: Int32Array, {name, domain, index}: RangeFilter): Int32Array {
  const fits = namesThat(trace, doesFit);
  const found: number[] = [];
  for (let range = 0; range < rangeSlice.length; range++) if (fits(rangeSlice[range])) found.push(range);
  if (index === null) return Int32Array.from(found);
  const startOf = (range: number) => trace.slices.startNs[rangeSlice[range]];
  found.sort((a, b) => startOf(a) - startOf(b) || a - b);
  return index < found.length ? Int32Array.of(found[index]) : new Int32Array(0);

  function doesFit(whole: string, own: number): boolean {
    const parts = rangeNameOf(trace, own);
    if (domain !== null && parts.domain !== domain) return false;
    return parts.text === name || whole === name || foldName(parts.text) === name;
  }
}

/** Returns whether a name folds into `folded`: without the numbers that tools add, or with a star for each number. */
export function isFoldedInto(name: string, folded: string): boolean {
  const text = foldName(name);
  return text === folded || numberless(text) === folded;
}

/**
 * Returns the ranges whose names equal this one with a star for each number: `layer_*`. None for a name without stars.
 */
export function matchFolded(trace: Trace, rangeSlice: Int32Array, name: string): Int32Array {
  if (!name.includes('*')) return new Int32Array(0);
  const fits = namesThat(trace, text => isFoldedInto(text, name));
  return Int32Array.from(rangeSlice.keys()).filter(range => fits(rangeSlice[range]));
}
