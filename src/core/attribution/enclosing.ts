import {TraceError} from '../errors.js';
import type {SliceTable} from '../trace/slices.js';
import type {Trace} from '../trace/trace.js';

/**
 * For each site the containers that enclose it, outermost first: row `site` is
 * `containers[offsets[site]] … containers[offsets[site + 1] - 1]`, each a row of the slices table.
 */
export interface Enclosing {
  readonly offsets: Int32Array;
  readonly containers: Int32Array;
}

/** 400 MB of row numbers: ranges nest less than a thousand deep, so this is reached by files that mean harm. */
const mostPairs = 100_000_000;

/** Grows the flat list of an `Enclosing`. */
class EnclosingBuilder {
  readonly #offsets: Int32Array;
  #containers = new Int32Array(1024);
  #length = 0;
  #site = 0;

  constructor(siteCount: number) {
    this.#offsets = new Int32Array(siteCount + 1);
  }

  add(container: number): void {
    if (this.#length === this.#containers.length) {
      if (this.#length >= mostPairs) {
        throw new TraceError(
          'trace/too-many-open-ranges',
          'Too many ranges are open at once in this profile to tell which work is whose.',
        );
      }
      const grown = new Int32Array(this.#length * 2);
      grown.set(this.#containers);
      this.#containers = grown;
    }
    this.#containers[this.#length++] = container;
  }

  endSite(): void {
    this.#offsets[++this.#site] = this.#length;
  }

  finish(): Enclosing {
    return {offsets: this.#offsets, containers: this.#containers.subarray(0, this.#length)};
  }
}

/** Containers and sites that can enclose each other: those of one thread, or of one process. */
export interface Scope {
  /** Rows of the slices table in ascending order of start, longer first. */
  readonly containers: Int32Array;
  /** Rows of the slices table in ascending order of start. */
  readonly sites: Int32Array;
}

/**
 * The containers around each site, by closed bounds: `container.start ≤ site.start` and `site.end ≤ container.end`,
 * so that a site that straddles a container's end lies outside it. A slice that is both encloses itself.
 *
 * One sweep per scope over both lists; the sites of the result follow each other as in `scopes`.
 *
 * @see docs/metrics.md#attribution
 */
export function enclosing(slices: SliceTable, scopes: readonly Scope[]): Enclosing {
  const {startNs, durationNs} = slices;
  const result = new EnclosingBuilder(scopes.reduce((sum, {sites}) => sum + sites.length, 0));
  const open: number[] = [];
  for (const {containers, sites} of scopes) {
    open.length = 0;
    let next = 0;
    for (const site of sites) {
      const siteStartNs = startNs[site];
      const siteEndNs = siteStartNs + durationNs[site];
      for (; next < containers.length && startNs[containers[next]] <= siteStartNs; next++) {
        popEnded(open, slices, startNs[containers[next]]);
        open.push(containers[next]);
      }
      popEnded(open, slices, siteStartNs);
      // Ranges that overlap without nesting leave ended ones under open ones: the test of the end skips them.
      for (const container of open) {
        if (startNs[container] + durationNs[container] >= siteEndNs) result.add(container);
      }
      result.endSite();
    }
  }
  return result.finish();
}

/** The containers and sites of each track that has sites; both lists hold slice rows in ascending order. */
export function scopesByTrack({tracks}: Trace, containers: Int32Array, sites: Int32Array): Scope[] {
  const scopes: Scope[] = [];
  for (const {firstSlice, endSlice} of tracks) {
    const own = between(sites, firstSlice, endSlice);
    if (own.length > 0) scopes.push({containers: between(containers, firstSlice, endSlice), sites: own});
  }
  return scopes;
}

/** The first position in an ascending list whose value is not below `value`. */
export function lowerBound(values: Int32Array, value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (values[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The part of an ascending list with `from ≤ value < to`. */
function between(values: Int32Array, from: number, to: number): Int32Array {
  return values.subarray(lowerBound(values, from), lowerBound(values, to));
}

function popEnded(open: number[], {startNs, durationNs}: SliceTable, atNs: number): void {
  while (open.length > 0) {
    const last = open[open.length - 1];
    if (startNs[last] + durationNs[last] >= atNs) return;
    open.pop();
  }
}
