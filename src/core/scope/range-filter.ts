import {foldName, numberless} from '../names/operator-name.js';
import {namesThat} from '../trace/names-that.js';
import {rangeNameOf} from '../trace/nvtx-domains.js';
import type {Trace} from '../trace/trace.js';

/** A filter of ranges, in Nsight's form. */
export interface RangeFilter {
  readonly name: string;
  /** Null where ranges of any domain fit. */
  readonly domain: string | null;
  /** Which of those that fit, from 0 in order of start; null for all. */
  readonly index: number | null;
}

/**
 * The parts of `range[@domain][/index]`. A backslash takes the character behind it as it is: `loss\/scale`, `a\@b`.
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

/** The filter that ranges of a name fit, and no others. */
export function filterOfName(name: string): string {
  return name.replace(/[\\@]|\/(?=\d+$)/g, '\\$&');
}

/** Position of the last `@` that no backslash stands before, -1 for none or where nothing stands before it. */
function unescapedAt(text: string): number {
  for (let at = text.length - 1; at > 0; at--) if (text[at] === '@' && text[at - 1] !== '\\') return at;
  return -1;
}

function unescaped(text: string): string {
  return text.replace(/\\([\s\S])/g, '$1');
}

/**
 * The ranges that fit, ascending by row; with an index, of those the one at that place in order of start.
 *
 * A name fits whole, with or without its domain before it, or as its folded form (`ProfilerStep*`).
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

/** Whether `folded` stands for a name: without what tools number it by, or with a star for each number. */
export function isFoldedInto(name: string, folded: string): boolean {
  const text = foldName(name);
  return text === folded || numberless(text) === folded;
}

/** The ranges whose names are this one where a star stands for each number: `layer_*`. None for a name without stars. */
export function matchFolded(trace: Trace, rangeSlice: Int32Array, name: string): Int32Array {
  if (!name.includes('*')) return new Int32Array(0);
  const fits = namesThat(trace, text => isFoldedInto(text, name));
  return Int32Array.from(rangeSlice.keys()).filter(range => fits(rangeSlice[range]));
}
